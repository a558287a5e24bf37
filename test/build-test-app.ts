import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { buildApp } from '#server/app.ts'
import type { Database } from '#server/db/connection.ts'
import { systemRandom } from '#server/ids.ts'
import { fileMailer } from '#server/integrations/mail/nodemailer.ts'
import type { CalendarProvider } from '#server/integrations/calendar/port.ts'
import type { IdentityProvider } from '#server/integrations/identity/port.ts'
import type { Mailer } from '#server/integrations/mail/port.ts'
import type { PaymentGateway } from '#server/integrations/payment-gateway/port.ts'
import { localDirectory, localStorage } from '#server/integrations/object-storage/local.ts'
import type { ObjectStorage } from '#server/integrations/object-storage/port.ts'
import type { PushSender } from '#server/integrations/push/port.ts'
import type { VirusScanner } from '#server/integrations/virus-scanner/port.ts'
import type { Tracing } from '#server/integrations/tracing/port.ts'
import type { AppOptions } from '#server/platform.ts'
import { sandboxGateway } from '#server/integrations/payment-gateway/sandbox.ts'
import type { PasswordCost } from '#server/modules/accounts/passwords.ts'
import { createSecrets, type Secrets } from '#server/secrets.ts'
import type { Inspector } from '#server/uploads/inspector.ts'
import { type MovableClock, movableClock } from './movable-clock.ts'
import { starting } from './start-failure.ts'
import { emptyDatabase } from './test-database.ts'

type TestOptions = {
  /** A database of its own, such as one on a private cluster; else this worker's embedded one, emptied. */
  database?: Database
  replica?: AppOptions['replica']
  clock?: MovableClock
  /** Another app's, for two instances on one database. */
  secrets?: Secrets
  /** Wraps the sandbox gateway, to make it fail, or puts another in its place. */
  gateway?: (sandbox: PaymentGateway, on: { db: Database['db']; clock: MovableClock }) => PaymentGateway
  /** Wraps the folder of files, to make it fail. */
  storage?: (folder: ObjectStorage) => ObjectStorage
  inspector?: Inspector
  virusScanner?: VirusScanner
  /** Instead of the folder of mails. */
  mailer?: Mailer
  push?: PushSender
  /** What joins it to other instances; events stay in this one when absent. */
  live?: NonNullable<AppOptions['live']>
  checkpoint?: AppOptions['checkpoint']
  /** `awaited` when absent. */
  searchIndex?: NonNullable<AppOptions['searchIndex']>['mode']
  /** Whether the index of the search has a thread of its own, which few practitioners are not worth. */
  searchThread?: boolean
  /** The share of searches that are compared with SQL; none when absent. */
  searchShadow?: number
  rateLimitScale?: number
  web?: Omit<NonNullable<AppOptions['web']>, 'site'>
  profilesPerSitemap?: number
  socketSweepEvery?: number
  without?: AppOptions['without']
  adminsWithoutSecondFactor?: string[]
  /** `cheapCost` when absent, the product's default when undefined. */
  passwordCost?: PasswordCost | undefined
  identityProvider?: IdentityProvider
  calendarProvider?: CalendarProvider
  mailPreviews?: AppOptions['mailPreviews']
  relay?: NonNullable<AppOptions['relay']>
  tracing?: Tracing
  /** Where files lie, instead of a new folder. */
  directory?: string
  /** Where people reach it; a made-up host when absent. */
  publicUrl?: string
}

export type Answer = {
  status: number
  /** The body as it came; the test asserts its shape. */
  body: Json
  headers: Headers
}
/** JSON that a test reads by name; its leaves are compared, put in a path or sent on. */
export interface Json {
  readonly [key: string]: Json
}

type CallOptions = {
  token?: string | undefined
  body?: unknown
  headers?: Record<string, string>
  raw?: string
}

/** Most tests sign people in; at the product's cost the hashes would take longer than all else. */
export const cheapCost: PasswordCost = { memoryCost: 64, timeCost: 2 }

export type TestApp = Awaited<ReturnType<typeof buildTestApp>>

/** The whole product on a test's database and clock, listening on a free port. Close it when done. */
export function buildTestApp(options: TestOptions = {}) {
  return starting(() => build(options))
}

async function build(options: TestOptions) {
  const database = options.database ?? (await emptyDatabase())
  const clock = options.clock ?? movableClock()
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'hearth-test-'))
  const lines: string[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const folder = localStorage(localDirectory(directory))
  const sandbox = sandboxGateway({ db: database.db, clock, random: systemRandom })
  const running = await buildApp({
    database,
    replica: options.replica,
    clock,
    random: systemRandom,
    mailer: options.mailer ?? fileMailer(join(directory, 'mail'), 'Hearth <hello@hearth.test>'),
    storage: options.storage ? options.storage(folder) : folder,
    ...(options.virusScanner ? { virusScanner: options.virusScanner } : {}),
    ...(options.inspector ? { inspector: options.inspector } : {}),
    gateway: options.gateway ? options.gateway(sandbox, { db: database.db, clock }) : sandbox,
    log: pino(
      {
        level: 'info',
        base: null,
        ...(options.tracing ? { mixin: options.tracing.logFields } : {}),
      },
      sink,
    ),
    tracing: options.tracing,
    publicUrl: options.publicUrl ?? 'http://hearth.test',
    identityProvider: options.identityProvider,
    calendarProvider: options.calendarProvider,
    mailPreviews: options.mailPreviews,
    dataDirectory: directory,
    rateLimitScale: options.rateLimitScale ?? 1000,
    secrets: options.secrets ?? createSecrets([randomBytes(32)]),
    checksText: true,
    searchIndex: {
      mode: options.searchIndex ?? 'awaited',
      shadow: options.searchShadow ?? 0,
      ...(options.searchThread ? { threadFrom: 0 } : {}),
    },
    trustedProxies: 1,
    passwordCost: 'passwordCost' in options ? options.passwordCost : cheapCost,
    ...(options.adminsWithoutSecondFactor
      ? { adminsWithoutSecondFactor: options.adminsWithoutSecondFactor }
      : {}),
    ...(options.push ? { push: options.push } : {}),
    ...(options.live ? { live: options.live } : {}),
    ...(options.relay ? { relay: options.relay } : {}),
    ...(options.checkpoint ? { checkpoint: options.checkpoint } : {}),
    ...(options.profilesPerSitemap ? { profilesPerSitemap: options.profilesPerSitemap } : {}),
    ...(options.socketSweepEvery ? { socketSweepEvery: options.socketSweepEvery } : {}),
    ...(options.without ? { without: options.without } : {}),
    ...(options.web
      ? {
          web: {
            ...options.web,
            site: {
              origin: 'http://hearth.test',
              contactEmail: 'people@hearth.test',
              appStoreUrl: 'https://apps.test/hearth',
              playStoreUrl: null,
              identityProvider: null,
              identityButton: null,
              files: null,
              payment: { provider: 'sandbox' },
            },
          },
        }
      : {}),
  })
  await running.queue.start({ work: false })
  const origin = await running.app.listen({ port: 0, host: '127.0.0.1' })

  return {
    ...running,
    database,
    db: database.db,
    clock,
    origin,
    directory,
    /** Everything logged so far. */
    logged: () => lines.join(''),
    /** The mails written so far, oldest first, as they would be sent. */
    mails: () => {
      try {
        return readdirSync(join(directory, 'mail'))
          .filter((name) => name.endsWith('.eml'))
          .sort()
          .map((name) => readFileSync(join(directory, 'mail', name), 'utf8'))
      } catch {
        return []
      }
    },
    call: callsTo(origin),
    /** Ends it as SIGTERM does, once its callers have turned to others. */
    async stop(drained: () => Promise<void>) {
      running.drain()
      await drained()
      await running.close()
    },
    async close() {
      await running.app.close()
      await running.queue.stop()
      await running.reads.close()
      if (options.database) await options.database.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Makes calls over HTTP; their path is below `/api/v7`. */
export function callsTo(origin: string) {
  return async (
    method: string,
    path: string,
    { token, body, headers, raw }: CallOptions = {},
  ): Promise<Answer> => {
    const response = await fetch(`${origin}/api/v7${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body !== undefined || raw !== undefined ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(raw !== undefined ? { body: raw } : body !== undefined ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    // A file is not JSON; a test that needs its bytes fetches it directly.
    const isJson = text !== '' && !response.headers.has('content-disposition')
    return { status: response.status, body: isJson ? JSON.parse(text) : null, headers: response.headers }
  }
}
