import { dayInLondon, days, hours, later, minutes } from '../../clock.ts'
import type { Random } from '../../ids.ts'
import { createEncryption } from '../../modules/chat/chat.encryption.ts'
import type { Secrets } from '../../secrets.ts'
import type { Tx } from '../connection.ts'

/** A message: who wrote it, how long before now, and its words. */
type Line = readonly [by: 'client' | 'practitioner', agoMs: number, text: string]

export interface DemoDialog {
  clientId: string
  practitionerId: number
  practitionerAccountId: string
  openedFor: 'enquiry' | 'session'
  lines: readonly Line[]
  /** How many of the last messages the reader of each side has not read. */
  unread?: { client?: number; practitioner?: number }
  /** What the client has told the back office about it. */
  report?: string
}

type Options = { now: Date; random: Random; secrets: Secrets }

/** Inserts conversations, encrypted as the chat encrypts them. */
export async function insertChats(
  tx: Tx,
  dialogs: readonly DemoDialog[],
  { now, random, secrets }: Options,
): Promise<void> {
  const encryption = createEncryption(secrets)
  for (const {
    clientId,
    practitionerId,
    practitionerAccountId,
    openedFor,
    lines,
    unread,
    report,
  } of dialogs) {
    const sent = lines.map(([by, ago, text]) => ({ by, text, at: later(now, -ago) }))
    const createdAt = sent[0]?.at ?? now
    const activeAt = sent.at(-1)?.at ?? now
    const id = random.uuid(createdAt)
    const sealedKey = encryption.newKey(id)
    await tx
      .insertInto('chat_dialogs')
      .values({
        id,
        client_id: clientId,
        practitioner_id: practitionerId,
        opened_for: openedFor,
        sealed_key: sealedKey,
        last_seq: sent.length,
        active_at: activeAt,
        created_at: createdAt,
      })
      .execute()
    await tx
      .insertInto('chat_members')
      .values([
        { dialog_id: id, account_id: clientId, read_seq: sent.length - (unread?.client ?? 0) },
        {
          dialog_id: id,
          account_id: practitionerAccountId,
          read_seq: sent.length - (unread?.practitioner ?? 0),
        },
      ])
      .execute()
    await tx
      .insertInto('chat_messages')
      .values(
        sent.map(({ by, text, at }, index) => {
          const messageId = random.uuid(at)
          const senderId = by === 'client' ? clientId : practitionerAccountId
          return {
            dialog_id: id,
            seq: index + 1,
            id: messageId,
            sender_id: senderId,
            body: encryption.encrypt(sealedKey, { dialogId: id, messageId, senderId }, text),
            sent_at: at,
          }
        }),
      )
      .execute()
    if (report) {
      const reportId = random.uuid(now)
      await tx
        .insertInto('chat_reports')
        .values({
          id: reportId,
          dialog_id: id,
          reporter_id: clientId,
          sealed_reason: secrets.seal('chat report', reportId, Buffer.from(report)),
          messages_count: 0,
          created_at: later(now, -hours(5)),
        })
        .execute()
    }
  }
}

type People = {
  guest: string
  reporter: string
  enquirer: string
  host: { id: number; accountId: string }
  colleague: { id: number; accountId: string }
  /** Whom a client reports. */
  reported: { id: number; accountId: string }
}

/** The conversations of the demo accounts. The last message to the demo practitioner is of the day of `now`. */
export function planChats(
  { guest, reporter, enquirer, host, colleague, reported }: People,
  now: Date,
): DemoDialog[] {
  const of = (practitioner: People['host']) => ({
    practitionerId: practitioner.id,
    practitionerAccountId: practitioner.accountId,
  })
  const midnight = new Date(`${dayInLondon(now)}T00:00:00Z`)
  const sinceMidnight = Math.max(0, now.getTime() - midnight.getTime())
  const today = Math.min(minutes(40), sinceMidnight)
  const dialogs: DemoDialog[] = [
    {
      ...of(host),
      clientId: guest,
      openedFor: 'session',
      lines: [
        ['client', days(3), 'Hello Grace, I have slept a little better since we spoke.'],
        [
          'practitioner',
          days(3) - hours(2),
          'I am glad to hear that. Would you keep the notes going until we meet?',
        ],
        ['client', days(2), 'I will. They are mostly about work, I notice.'],
        ['practitioner', days(2) - hours(1), 'That sounds like a good place to begin next time.'],
      ],
    },
    {
      ...of(host),
      clientId: enquirer,
      openedFor: 'enquiry',
      lines: [
        [
          'client',
          today,
          'Hello, do you see people in the early evening? I have been putting this off for a while.',
        ],
      ],
      unread: { practitioner: 1 },
    },
    {
      ...of(reported),
      clientId: reporter,
      openedFor: 'enquiry',
      lines: [
        ['client', days(2), 'Hello, do you have a time on Thursday?'],
        ['practitioner', days(2) - hours(6), 'Please pay me by bank transfer, then we save the booking.'],
      ],
      report: 'I was asked to pay outside Hearth. I would rather not.',
    },
  ]
  if (colleague.id !== host.id)
    dialogs.push({
      ...of(colleague),
      clientId: guest,
      openedFor: 'enquiry',
      lines: [
        [
          'client',
          days(20),
          'Hello, is a first session with you about practical steps or more about the past?',
        ],
        [
          'practitioner',
          days(20) - hours(3),
          'Mostly practical at first: what keeps it going now. The past comes in where it helps.',
        ],
        ['client', days(15), 'Thank you for the session, it was good to have a plan.'],
        ['practitioner', hours(20), 'I have kept our next time free. Bring the diary sheet if you can.'],
      ],
      unread: { client: 1 },
    })
  return dialogs
}
