import './production.ts'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import { seconds, systemClock } from './clock.ts'
import { type Config, forFilled, readConfig } from './config.ts'
import { type Database, lockDataDirectory, openEmbedded, openServer } from './db/connection.ts'
import { migrate } from './db/migrate.ts'
import { grantProduct } from './db/roles.ts'
import { requireTimeLimits } from './db/time-limits.ts'
import { fillDatabase } from './db/seed/fill.ts'
import { settle } from './db/seed/insert.ts'
import { systemRandom } from './ids.ts'
import { installQueue } from './jobs/queue.ts'
import { googleCalendar } from './integrations/calendar/google.ts'
import { fileMailer, smtpMailer } from './integrations/mail/nodemailer.ts'
import { identityButton, identityOf } from './adapters/identity.ts'
import { liveOf } from './adapters/live.ts'
import { serveMetrics } from './http/metrics-server.ts'
import { gatewayOf, paymentFacts } from './adapters/gateway.ts'
import { pushOf } from './adapters/push.ts'
import { clamdScanner } from './integrations/virus-scanner/clamd.ts'
import { logDestination } from './log-destination.ts'
import { openSecrets } from './secrets.ts'
import { filesOrigin, storageOf } from './adapters/storage.ts'
import { traceStatements } from './db/trace-statements.ts'
import type { Tracing } from './integrations/tracing/port.ts'
import { tracingOf } from './adapters/tracing.ts'
import { keepObjectsYoung } from './library-internals/young-objects.ts'
import { buildDirectory, buildWebIfNeeded } from './web-build.ts'

const development = process.argv.includes('--dev')
/** Milliseconds after which a process that was told to stop ends anyway, beside `DRAIN_SECONDS`. */
const maxStopMs = 40_000
const say = (sentence: string) => console.log(sentence)

async function main(): Promise<void> {
  // As the first process of a container it would be sent signals that do nothing.
  let isStopAsked = false
  let stop = (): void => process.exit(0)
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop())
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major < 24) {
    throw new Error(
      `Hearth needs Node 24 or newer; this is ${process.version}. Run it with npm, which finds its own.`,
    )
  }
  let config = readConfig(process.env)
  if (!config.WITHOUT_INTERNALS.includes('young-objects')) keepObjectsYoung()
  // A server's database looks after itself; the embedded one must not be opened twice.
  const unlock = config.DATABASE_URL ? () => undefined : lockDataDirectory(config.DATA_DIR)
  const tracing = await tracingOf(config, (sentence) => log.warn(sentence))
  const log = pino(
    { level: config.LOG_LEVEL, base: null, ...(tracing ? { mixin: tracing.logFields } : {}) },
    logDestination(2),
  )
  if (!development) await buildWebIfNeeded(say)

  const onError = (error: Error) => log.error({ err: { name: error.name } }, 'database connection')
  const database = await open(config, tracing, onError)
  const replica = openReplica(config, tracing, onError)
  if (config.DATABASE_URL) await requireTimeLimits(database.db)
  const owner = openOwner(config, database, onError)
  await migrate(owner.db)
  await installQueue(owner)
  const hasOwnRole = await grantProduct(owner, database)
  const secrets = openSecrets({ configured: config.SECRET_KEY, directory: config.DATA_DIR })
  if (!secrets.holds(await settle(database.db, 'secret-key', secrets.keyId))) {
    throw new Error(
      'This database holds what was encrypted with another key. Give that key as SECRET_KEY, or put its file secret.key back into DATA_DIR.',
    )
  }
  // Demo accounts have public passwords, also after a start with another choice.
  config = forFilled(config, await settle(database.db, 'seed', config.SEED))
  const identity = await identityOf(config)
  const storage = await storageOf(config)
  const mailer = config.SMTP_URL
    ? smtpMailer(config.SMTP_URL, config.MAIL_FROM)
    : fileMailer(join(config.DATA_DIR, 'mail'), config.MAIL_FROM)
  const running = await buildApp({
    database,
    ...(replica ? { replica: { database: replica, maxAge: seconds(config.DATABASE_READ_AGE) } } : {}),
    clock: systemClock,
    random: systemRandom,
    mailer,
    storage,
    ...(config.CLAMD_URL ? { virusScanner: clamdScanner({ url: config.CLAMD_URL }) } : {}),
    push: await pushOf(config, database.db, log),
    gateway: await gatewayOf(config, database.db),
    live: await liveOf(config, secrets, (sentence) => log.warn(sentence)),
    log,
    tracing,
    publicUrl: config.PUBLIC_URL,
    dataDirectory: config.DATA_DIR,
    rateLimitScale: config.RATE_LIMIT_SCALE,
    without: config.WITHOUT_INTERNALS,
    searchIndex: {
      mode: config.SEARCH_INDEX === 'on' ? 'background' : 'off',
      shadow: config.SEARCH_SHADOW,
    },
    subscriptionPence: config.SUBSCRIPTION_PENCE,
    seller: config.SELLER,
    relay: {
      ...(config.TURN_URLS && config.TURN_SECRET
        ? { turn: { urls: config.TURN_URLS, secret: config.TURN_SECRET } }
        : {}),
      stunUrls: config.STUN_URLS ?? [],
      relay: config.ROOM_RELAY,
    },
    ...(config.BACK_OFFICE_EMAIL ? { backOfficeEmail: config.BACK_OFFICE_EMAIL } : {}),
    secrets,
    identityProvider: identity.provider,
    ...(config.GOOGLE_CALENDAR_CLIENT_ID && config.GOOGLE_CALENDAR_CLIENT_SECRET
      ? {
          calendarProvider: googleCalendar({
            clientId: config.GOOGLE_CALENDAR_CLIENT_ID,
            clientSecret: config.GOOGLE_CALENDAR_CLIENT_SECRET,
            api: config.GOOGLE_CALENDAR_API.replace(/\/$/, ''),
            oauth: config.GOOGLE_CALENDAR_OAUTH?.replace(/\/$/, ''),
            now: systemClock.now,
          }),
        }
      : {}),
    developmentIdentity: identity.development,
    mailPreviews: await previewsOf(config),
    adminsWithoutSecondFactor: config.SEED === 'demo' ? ['admin@demo.test'] : [],
    trustedProxies: config.TRUST_PROXY,
    web: {
      mode: development ? 'development' : 'production',
      buildDirectory,
      lateScripts: !config.WITHOUT_INTERNALS.includes('page-scripts'),
      site: {
        origin: config.PUBLIC_URL,
        contactEmail: config.CONTACT_EMAIL ?? mailer.sender.address,
        appStoreUrl: config.APP_STORE_URL ?? null,
        playStoreUrl: config.PLAY_STORE_URL ?? null,
        identityProvider: identity.provider?.name ?? null,
        identityButton: identityButton(config),
        payment: paymentFacts(config),
        files: await filesOrigin(storage),
      },
    },
  })
  await fillDatabase({
    db: owner.db,
    clock: systemClock,
    random: systemRandom,
    secrets,
    search: running.services.search,
    seed: config.SEED,
    dataDirectory: config.DATA_DIR,
    admin: { email: config.ADMIN_EMAIL, password: config.ADMIN_PASSWORD },
    say,
  })
  if (owner !== database) await owner.close()
  // From here on jobs are under way: the stop waits until the start is over.
  stop = () => {
    isStopAsked = true
  }
  await running.queue.start({ work: true, install: !hasOwnRole })
  const figures =
    config.METRICS_PORT === undefined
      ? undefined
      : await serveMetrics(running.metrics, { host: config.METRICS_HOST, port: config.METRICS_PORT })
  const address = await running.app.listen({ host: config.HOST, port: config.PORT })

  let stopping = false
  stop = () => {
    if (stopping) return
    stopping = true
    running.drain()
    sleep(config.DRAIN_SECONDS * 1000)
      .then(() => {
        // Work that still hangs by then is recovered as after a crash.
        setTimeout(() => end(new Error('Stopping took too long.')), maxStopMs).unref()
      })
      .then(running.close)
      .then(figures?.close)
      .then(tracing?.close)
      .then(unlock)
      .then(() => process.exit(0))
      .catch((error: unknown) => end(error))
  }
  if (isStopAsked) stop()

  say(`Hearth is ready at ${address}`)
  if (config.SEED === 'demo') {
    say('Demo accounts: client@demo.test, therapist@demo.test, admin@demo.test. Password: demo-password')
    if (config.PAYMENT_GATEWAY === 'sandbox') say('Test card: 4242 4242 4242 4242, any date ahead, any code.')
  }
}

/**
 * The database for what may take long at a start, or needs its owner: migrations, the queue's own tables, and what a new
 * database is filled with.
 */
function openOwner(config: Config, database: Database, onError: (error: Error) => void): Database {
  if (!config.DATABASE_URL) return database
  return openServer(config.DATABASE_ADMIN_URL ?? config.DATABASE_URL, 2, onError, {
    limits: 'none',
    isPooled: config.DATABASE_PREPARED === 'off',
    without: config.WITHOUT_INTERNALS,
    name: 'hearth start',
  })
}

function openReplica(
  config: Config,
  tracing: Tracing | undefined,
  onError: (error: Error) => void,
): Database | undefined {
  if (!config.DATABASE_READ_URL) return undefined
  return openServer(config.DATABASE_READ_URL, config.DATABASE_POOL, onError, {
    log: tracing && traceStatements(tracing),
    isPooled: config.DATABASE_PREPARED === 'off',
    without: config.WITHOUT_INTERNALS,
    name: 'hearth reads',
  })
}

async function open(
  config: Config,
  tracing: Tracing | undefined,
  onError: (error: Error) => void,
): Promise<Database> {
  const statements = tracing && traceStatements(tracing)
  if (config.DATABASE_URL)
    return openServer(config.DATABASE_URL, config.DATABASE_POOL, onError, {
      log: statements,
      isPooled: config.DATABASE_PREPARED === 'off',
      without: config.WITHOUT_INTERNALS,
    })
  return openEmbedded({
    directory: join(config.DATA_DIR, 'database'),
    log: statements,
    without: config.WITHOUT_INTERNALS,
  })
}

/** Made-up mails to look at, with demo data, where only this machine can reach the product. */
async function previewsOf({ SEED, isLocal, PUBLIC_URL }: Config) {
  if (SEED !== 'demo' || !isLocal) return undefined
  const { mailPreviews } = await import('./development/mail-previews.ts')
  return mailPreviews(PUBLIC_URL)
}

function end(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main().catch(end)
