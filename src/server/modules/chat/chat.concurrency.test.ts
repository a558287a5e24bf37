import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '#contract/chat/chat.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { type ChatUser, openChat } from '#test/factories.ts'

let app: TestApp
let client: ChatUser
let therapist: ChatUser
let dialog: string

beforeEach(async () => {
  app = await buildTestApp({ database: (await clusterDatabase(20)).database, rateLimitScale: 1 })
  ;({ client, therapist, dialog } = await openChat(app))
})
afterEach(() => app.close())

const as = (user: ChatUser, method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: user.token, ...(body === undefined ? {} : { body }) })
const write = async (user: ChatUser, message: string, id?: string) => {
  const answer = await as(user, 'POST', '/chat/messages', { _id: id, chat_dialog_id: dialog, message })
  return { status: answer.status, message: answer.body as unknown as Message }
}
const atOnce = <T>(times: number, what: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, index) => what(index)))
const count = (statuses: readonly { status: number }[], status: number) =>
  statuses.filter((answer) => answer.status === status).length
const seqs = async () =>
  (await app.db.selectFrom('chat_messages').select('seq').orderBy('seq').execute()).map(({ seq }) => seq)
const range = (to: number) => Array.from({ length: to }, (_, index) => index + 1)

describe('messages at once', () => {
  test('are one where they are the same, the very first of a dialog and later ones', async () => {
    for (let round = 1; round <= 4; round++) {
      const id = crypto.randomUUID()
      const answers = await atOnce(12, () => write(client, `Once, ${round}.`, id))
      expect(count(answers, 201)).toBe(12)
      expect(new Set(answers.map(({ message }) => JSON.stringify(message))).size).toBe(1)
      expect(await seqs()).toEqual(range(round))
    }
  })

  test('of both members have an order without a gap, also when some are sent again', async () => {
    const ids = range(20).map(() => crypto.randomUUID())
    const answers = await atOnce(60, (index) => {
      const which = index % 20
      return write(which % 2 ? client : therapist, `No ${which}.`, ids[which])
    })
    expect(count(answers, 201)).toBe(60)
    expect(await seqs()).toEqual(range(20))
  })

  test('are as many as a minute allows, and what was sent again is none of them', async () => {
    const id = crypto.randomUUID()
    await atOnce(10, () => write(client, 'Once.', id))
    const answers = await atOnce(70, (index) => write(client, `No ${index}.`))
    expect([count(answers, 201), count(answers, 429)]).toEqual([59, 11])
    expect(await seqs()).toEqual(range(60))
  })

  test('either come before a block or not at all', async () => {
    for (let round = 0; round < 3; round++) {
      const before = (await seqs()).length
      let last = 0
      const written = atOnce(8, async (index) => {
        const answer = await write(index % 2 ? client : therapist, 'Are you there?')
        if (answer.status === 201) last = Math.max(last, answer.message.seq)
        return answer
      })
      const [answers, blocked] = await Promise.all([
        written,
        as(therapist, 'POST', `/chat/dialogs/${dialog}/block`),
      ])
      expect(blocked.body.closed).toBe('blocked_by_you')
      expect(count(answers, 201) + count(answers, 409)).toBe(8)
      // What the block's own answer says was the last is the last.
      expect(blocked.body.last_seq).toBe(last || before)
      expect(await seqs()).toEqual(range(before + count(answers, 201)))
      expect((await write(client, 'Now?')).status).toBe(409)
      await as(therapist, 'POST', `/chat/dialogs/${dialog}/unblock`)
    }
  })
})
