import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { mailServer, type Refusal } from '#test/mail-server.ts'
import { fileMailer, smtpMailer } from './nodemailer.ts'
import { type Mailer, MailRefused } from './port.ts'

const from = 'Hearth <hello@hearth.test>'
const mail = {
  to: 'alex@example.test',
  subject: 'Choose a new password – now',
  text: 'Hello Zoë,\n\nfollow the link.',
  html: '<p>Hello Zoë</p>',
}
const content = ['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'END:VCALENDAR'].join('\r\n')
const invitation = {
  ...mail,
  messageId: 'session.1@hearth.test',
  date: new Date('2026-06-01T08:00:00Z'),
  calendar: { method: 'REQUEST' as const, content },
}

type Post = { mailer: Mailer; delivered: () => string[]; close: () => Promise<void> }
const opened: Post[] = []
afterEach(async () => {
  for (const post of opened.splice(0)) await post.close()
})

/** Mails into a folder. */
async function folder(): Promise<Post> {
  const parent = mkdtempSync(join(tmpdir(), 'hearth-mail-'))
  const directory = join(parent, 'mail')
  const post: Post = {
    mailer: fileMailer(directory, from),
    delivered: () => readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8')),
    close: async () => rmSync(parent, { recursive: true }),
  }
  opened.push(post)
  return post
}

/** Mails to a real server on this machine. */
async function server(...refusals: Refusal[]): Promise<Post> {
  const { url, received, close } = await mailServer(...refusals)
  const post = { mailer: smtpMailer(url, from), delivered: () => received, close }
  opened.push(post)
  return post
}

/** What sending came to: nothing, or the error. */
const attempt = (post: Post) =>
  post.mailer.send(mail).then(
    () => undefined,
    (error: unknown) => error,
  )

describe.each([
  { kind: 'a folder', open: folder },
  { kind: 'a mail server', open: server },
])('a mail through $kind', ({ open }) => {
  test('arrives once, with its text and its HTML', async () => {
    const post = await open()
    await post.mailer.send(mail)
    const [message = '', ...more] = post.delivered()
    expect(more).toEqual([])
    expect(message).toContain('From: Hearth <hello@hearth.test>')
    expect(message).toContain('To: alex@example.test')
    expect(message).toContain('Auto-Submitted: auto-generated')
    expect(message).toMatch(/Content-Type: text\/plain; charset=utf-8/)
    expect(message).toMatch(/Content-Type: text\/html; charset=utf-8/)
    expect(message).toContain('Zo=C3=AB')
    expect(message).not.toContain('calendar')
  })

  test('carries a calendar entry for programs and as a file, under its own id and date', async () => {
    const post = await open()
    await post.mailer.send(invitation)
    const [message = ''] = post.delivered()
    expect(message).toContain('Message-ID: <session.1@hearth.test>')
    expect(message).toContain('Date: Mon, 01 Jun 2026 08:00:00 +0000')
    expect(message).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=REQUEST/)
    expect(message).toContain(content)
    expect(message).toMatch(/Content-Type: application\/ics; name=session.ics/)
    expect(message).toContain('filename=session.ics')
    expect(message.replace(/\s/g, '')).toContain(Buffer.from(content).toString('base64'))
  })

  test('is the same to the last byte when it is handed over again under its id', async () => {
    const post = await open()
    await post.mailer.send(invitation)
    await post.mailer.send(invitation)
    const [first, second] = post.delivered()
    expect(first).toBe(second)
  })

  test('has an id of its own where none is given', async () => {
    const post = await open()
    await post.mailer.send(mail)
    await post.mailer.send(mail)
    const ids = post.delivered().map((message) => /^Message-ID: <(.+)>$/im.exec(message)?.[1])
    expect(ids[0]).toMatch(/@hearth\.test$/)
    expect(ids[0]).not.toBe(ids[1])
  })

  test('names its sender', async () => {
    const post = await open()
    expect(post.mailer.sender).toEqual({ name: 'Hearth', address: 'hello@hearth.test' })
  })
})

test('a sender may be an address alone', () => {
  expect(fileMailer('/nowhere', 'hello@hearth.test').sender).toEqual({
    name: '',
    address: 'hello@hearth.test',
  })
  expect(fileMailer('/nowhere', '"Hearth, UK" <hello@hearth.test>').sender).toEqual({
    name: 'Hearth, UK',
    address: 'hello@hearth.test',
  })
})

describe('a mail server that does not take a mail', () => {
  test.each([{ to: 451 }, { data: 452 }, { from: 421 }])(
    'for now (%o) gets it again, and then once',
    async (answer) => {
      const post = await server(answer)
      const error = await attempt(post)
      expect(error).toBeInstanceOf(Error)
      expect(error).not.toBeInstanceOf(MailRefused)
      expect(post.delivered()).toEqual([])
      expect(await attempt(post)).toBeUndefined()
      expect(post.delivered()).toHaveLength(1)
    },
  )

  test.each([{ to: 550 }, { data: 554 }])('for good (%o) says so, without its words', async (answer) => {
    const post = await server(answer)
    const error = await attempt(post)
    expect(error).toBeInstanceOf(MailRefused)
    expect(error).toMatchObject({ final: true, responseCode: answer.to ?? answer.data })
    expect(String(error)).not.toContain('alex')
    expect(post.delivered()).toEqual([])
  })

  test('because of its sender is tried again: that is for us to put right', async () => {
    const post = await server({ from: 550 })
    const error = await attempt(post)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(MailRefused)
    expect(post.delivered()).toEqual([])
  })

  test('because it is not there is tried again', async () => {
    const post = await server()
    await post.close()
    const error = await attempt(post)
    expect(error).toMatchObject({ code: 'ESOCKET' })
    expect(error).not.toBeInstanceOf(MailRefused)
  })

  test('because it hangs up in the middle is tried again', async () => {
    const rude = createServer((socket) => {
      socket.write('220 hello\r\n')
      socket.once('data', () => socket.destroy())
    })
    const port = await new Promise<number>((resolve) => {
      rude.listen(0, '127.0.0.1', () => resolve((rude.address() as { port: number }).port))
    })
    const error = await smtpMailer(`smtp://127.0.0.1:${port}`, from)
      .send(mail)
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(MailRefused)
    await new Promise<void>((resolve) => rude.close(() => resolve()))
  })
})
