import { z } from 'zod'
import { FreeText, Success } from './common.ts'
import { defineEndpoints, withoutToken } from './endpoint.ts'

/** What a notification is about. It never says more than that. */
export const notificationKinds = [
  'message',
  'instant-offer',
  'session',
  'session-begins',
  'waitlist-offer',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** What a browser's service worker is handed. */
export const PushNotification = z.object({
  kind: z.enum(notificationKinds),
  path: z.string().startsWith('/'),
  /** Whose page it is: a browser may be signed in with both roles. */
  role: z.enum(['client', 'therapist']),
  /** For how long what it says stays true; absent where that has no end. */
  seconds: z.number().int().positive().optional(),
  /** When that ends, for what a push service has kept meanwhile. */
  ends_at: z.iso.datetime().optional(),
})
export type PushNotification = z.infer<typeof PushNotification>

export const NotificationChoices = z.object({
  /** A mail when a message stays unread for a quarter of an hour. */
  unread_mail: z.boolean(),
  /** A mail a day and an hour before a session. */
  session_reminders: z.boolean(),
})
export type NotificationChoices = z.infer<typeof NotificationChoices>

/** Bytes as base64url. */
const Bytes = (count: number) =>
  z
    .string()
    .regex(/^[\w-]+={0,2}$/)
    .refine((text) => byteLength(text) === count, `Must be ${count} bytes.`)

function byteLength(text: string): number {
  return Math.floor((text.replaceAll('=', '').length * 3) / 4)
}

/** A browser at its push service, and what notifications to it are encrypted for. */
const PushAddress = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(2000),
  keys: z.object({ p256dh: Bytes(65), auth: Bytes(16) }),
})

const both = { access: ['client', 'therapist'] } as const

/** Settings for notifications by mail and browser push. */
export const notificationEndpoints = defineEndpoints({
  'GET /notices': {
    ...both,
    whileSuspended: true,
    summary: 'What the caller wants to be told, and the key that browsers subscribe with',
    answer: NotificationChoices.extend({
      push_key: z.string(),
      /** Of the caller's browsers that show notifications. */
      push_endpoints: z.array(z.string()),
    }),
  },
  'PUT /notices': {
    ...both,
    whileSuspended: true,
    summary: 'Change what the caller wants to be told; what is left out stays',
    body: NotificationChoices.partial(),
    answer: NotificationChoices,
  },
  'POST /notices/push': {
    ...both,
    summary: 'Show notifications in this browser, until this sign-in ends',
    body: PushAddress,
    answer: Success,
  },
  'POST /notices/push/renew': {
    ...withoutToken,
    summary: 'Go on at the address that a push service has given a browser in the place of a former one',
    body: PushAddress.extend({
      /** What only the browser and we know of the former address: its service worker has no token. */
      former: z.object({ endpoint: FreeText(2000), auth: Bytes(16) }),
    }),
    answer: Success,
  },
  'POST /notices/push/remove': {
    ...both,
    whileSuspended: true,
    summary: 'Show no more notifications in a browser',
    body: z.object({ endpoint: FreeText(2000) }),
    answer: Success,
  },
  'POST /notices/unsubscribe': {
    ...withoutToken,
    summary: 'Turn off mails about unread messages, or reminders, by the link of such a mail',
    body: z.object({ token: z.string().min(1).max(300) }),
    answer: Success,
  },
})
