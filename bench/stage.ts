import { pino } from 'pino'
import { buildApp } from '#server/app.ts'
import { systemClock } from '#server/clock.ts'
import { openServer } from '#server/db/connection.ts'
import { systemRandom } from '#server/ids.ts'
import { fileMailer } from '#server/integrations/mail/nodemailer.ts'
import { localDirectory, localStorage } from '#server/integrations/object-storage/local.ts'
import { sandboxGateway } from '#server/integrations/payment-gateway/sandbox.ts'
import { type Capture, captureStatements } from './capture.ts'
import type { Person } from './directory.ts'
import type { Options } from './options.ts'
import type { Product } from './product.ts'
import type { Visitors } from './visitors.ts'

/** What the figures are measured on. */
export type Stage = Options & {
  product: Product
  visitors: Visitors
  databaseUrl: string
  /** The path of PostgreSQL's own benchmark. */
  pgbench: string
  people: Person[]
  /** The product a second time, in this process: to see which statements it sends, and to look into the database. */
  inside: Inside
}

export type Inside = Awaited<ReturnType<typeof buildInside>>

/** The product without a port of its own, and an ear on what it sends to the database. */
export async function buildInside(databaseUrl: string, directory: string) {
  const database = openServer(databaseUrl, 4, () => undefined)
  const capture: Capture = captureStatements(database)
  const { db } = database
  const app = await buildApp({
    database,
    clock: systemClock,
    random: systemRandom,
    mailer: fileMailer(directory, 'Hearth <hello@hearth.test>'),
    storage: localStorage(localDirectory(directory)),
    gateway: sandboxGateway({ db, clock: systemClock, random: systemRandom }),
    log: pino({ level: 'silent' }),
    publicUrl: 'http://127.0.0.1',
    dataDirectory: directory,
    rateLimitScale: 1_000_000,
    trustedProxies: 0,
  })
  return { ...app, db, capture }
}
