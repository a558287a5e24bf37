import { resolve } from 'node:path'
import { z } from 'zod'
import { internals } from './library-internals/internals.ts'
import { loopback } from './loopback.ts'

export const googleSignInScript = 'https://accounts.google.com/gsi/client'

/** Header pairs as OpenTelemetry writes them: values are percent-encoded. */
function readPairs(text: string, context: z.RefinementCtx): Record<string, string> {
  try {
    const pairs = text.split(',').map((pair) => {
      const [name = '', ...rest] = pair.split('=')
      return [name, decodeURIComponent(rest.join('='))] as const
    })
    return Object.fromEntries(pairs)
  } catch {
    context.addIssue({ code: 'custom', message: 'has a percent sign that does not encode anything' })
    return z.NEVER
  }
}

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
const httpUrl = z.url({ protocol: /^https?$/ })
const httpsUrl = z.url({ protocol: /^https$/ })
const addresses = (form: RegExp, message: string) =>
  z
    .string()
    .transform((urls) => urls.split(',').map((url) => url.trim()))
    .pipe(z.array(z.string().regex(form, message)))

const flag = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true')

/** Every variable the product reads; its descriptions make docs/configuration.md. */
export const configSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000).describe('Port of the one server'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address it listens on'),
  DATA_DIR: z.string().min(1).default('./data').describe('Embedded database, files and written mail'),
  DATABASE_URL: postgresUrl.optional().describe('PostgreSQL 15 or newer; the embedded database when absent'),
  DATABASE_ADMIN_URL: postgresUrl
    .optional()
    .describe(
      'The same database as the owner of its tables, for migrations alone; `DATABASE_URL` when absent. See [operations](operations.md) for the two roles',
    ),
  DATABASE_POOL: z.coerce.number().int().min(2).max(500).default(10).describe('Connections to PostgreSQL'),
  DATABASE_PREPARED: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      '`off` where PgBouncer stands in front in transaction mode: no statement is prepared by name, and the time limits are those of the role. It needs `DATABASE_ADMIN_URL`, the server’s own address. See [operations](operations.md)',
    ),
  DATABASE_READ_URL: postgresUrl
    .optional()
    .describe(
      'A streaming replica of the database, for what may be a moment old; `DATABASE_URL` when absent, and while the replica is away or behind',
    ),
  DATABASE_READ_AGE: z.coerce
    .number()
    .min(0.5)
    .max(60)
    .default(2)
    .describe('How far behind the replica may be, in seconds, before it is passed over'),
  DATABASE_LISTEN_URL: postgresUrl
    .optional()
    .describe(
      'The address of the server itself, past any pooler, by which PostgreSQL joins the sockets of several instances where there is no Redis',
    ),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must begin with redis://')
    .optional()
    .describe(
      'Redis that joins the sockets of several instances; one instance needs none, and `DATABASE_LISTEN_URL` does it for a few',
    ),
  SEED: z
    .enum(['demo', 'reference', 'none'])
    .optional()
    .describe(
      'What a new database is filled with; `demo` on the embedded one, else `reference`. The choice of the first start stays',
    ),
  PUBLIC_URL: httpUrl
    .optional()
    .describe(
      'Where people reach it, such as `https://hearth.example`, for links in mails; `http://HOST:PORT` when absent',
    ),
  ALLOW_DEMO: flag
    .default(false)
    .describe(
      'Allow demo data and the sandbox gateway where `HOST` or `PUBLIC_URL` is an address other than loopback',
    ),
  PAYMENT_GATEWAY: z
    .enum(['sandbox', 'stripe'])
    .default('sandbox')
    .describe('Card gateway: `sandbox` takes test cards alone, `stripe` needs the three keys below'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret or restricted key, such as sk_test_…')
    .optional()
    .describe("Stripe's secret key"),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_\w+$/, 'must be a publishable key, such as pk_test_…')
    .optional()
    .describe('Its publishable key, for the card fields in the browser'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+$/, 'must be the signing secret of a webhook endpoint, whsec_…')
    .optional()
    .describe('Signing secret of the webhook endpoint at `PUBLIC_URL/webhooks/stripe`'),
  STRIPE_API_BASE: httpUrl
    .optional()
    .describe('Instead of Stripe itself, a server on this machine, for tests; with test keys alone'),
  STRIPE_JS_URL: httpUrl
    .optional()
    .describe('Instead of Stripe.js, a script from this machine, for tests; with test keys alone'),
  SUBSCRIPTION_PENCE: z.coerce
    .number()
    .int()
    .min(30)
    .max(1_000_000)
    .default(3000)
    .describe('What a month costs practitioners who subscribe from now on, in pence'),
  SELLER: z.string().min(2).max(300).default('Hearth').describe('Who invoices come from: name and address'),
  BACK_OFFICE_EMAIL: z
    .email()
    .optional()
    .describe(
      'Where mails to the back office go, such as of orders and late refunds; every admin’s own address when absent. `OFFICE_EMAIL`, its former name, is still read',
    ),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp://')
    .optional()
    .describe(
      'Mail server, `smtps://…` or `smtp://…`. By `smtp:`, one on another machine must offer STARTTLS; `?ignoreTLS=true` at the end sends passwords and mails in clear, for a relay in a private network. Mails are written to `DATA_DIR/mail` when absent',
    ),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>]*<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/,
      'must be one address, with a name or without',
    )
    .default('Hearth <hello@hearth.test>')
    .describe('Sender of mails'),
  SECRET_KEY: z
    .string()
    .optional()
    .describe(
      '32 random bytes in base64, for what is encrypted in the database; several joined by commas, of which the first seals and all open. Made and kept in `DATA_DIR/secret.key` when absent; instances that share a database share it',
    ),
  PUSH_KEY: z
    .string()
    .optional()
    .describe(
      'Private key of push notifications: P-256, PKCS #8 in base64. Made and kept in `DATA_DIR/push.key` when absent; instances that share a database share it',
    ),
  PUSH_CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/)/, 'must begin with mailto: or https://')
    .optional()
    .describe('Whom push services can write to about us; `PUBLIC_URL` when absent'),
  PUSH_SERVICES: z
    .string()
    .optional()
    .describe(
      'Push services that may be called: hosts joined by commas, `.example.com` for all below it; those of the known browsers when absent',
    ),
  IDENTITY_ISSUER: httpUrl
    .default('https://accounts.google.com')
    .describe('OpenID provider that people may sign in by'),
  IDENTITY_NAME: z
    .string()
    .min(1)
    .max(40)
    .default('Google')
    .describe('What its button says after "Continue with"'),
  IDENTITY_CLIENT_ID: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe(
      "The product's id at the provider, where `PUBLIC_URL/api/v7/identity/callback` is its redirect address. Without it nobody signs in this way, but for made-up accounts with demo data",
    ),
  IDENTITY_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('Its secret there; without one, the code exchange is protected by PKCE alone'),
  GOOGLE_SIGN_IN_SCRIPT: z
    .union([z.literal('none'), httpUrl.regex(/\/gsi\/client$/)])
    .default(googleSignInScript)
    .describe(
      "Google's own button for signing in, drawn by its script where `IDENTITY_ISSUER` is Google; `none` leaves it at a link to Google's pages and loads nothing. Another script on this machine alone, for tests",
    ),
  GOOGLE_CALENDAR_CLIENT_ID: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe(
      "The product's id at Google for practitioners' calendars, where `PUBLIC_URL/api/v7/therapist/google-calendar/callback` is its redirect address and the Calendar API is on. Without it no calendar can be connected, and the page says so",
    ),
  GOOGLE_CALENDAR_CLIENT_SECRET: z.string().min(1).optional().describe('Its secret there'),
  GOOGLE_CALENDAR_API: httpUrl
    .default('https://www.googleapis.com/calendar/v3')
    .describe('Where the Calendar API is; another one on this machine alone, for tests'),
  GOOGLE_CALENDAR_OAUTH: httpUrl
    .optional()
    .describe("Stands in for Google's sign-in and token servers; on this machine alone, for tests"),
  CONTACT_EMAIL: z
    .email()
    .optional()
    .describe('Where the pages tell people to write to; the address of `MAIL_FROM` when absent'),
  ADMIN_EMAIL: z.email().optional().describe('First admin of a new database without demo data'),
  ADMIN_PASSWORD: z.string().min(8).max(128).optional().describe('Password of that admin'),
  APP_STORE_URL: httpsUrl
    .optional()
    .describe('Address of the app for iPhones; the footer has no link to it when absent'),
  PLAY_STORE_URL: httpsUrl
    .optional()
    .describe('Address of the app for Android; the footer has no link to it when absent'),
  SEARCH_INDEX: z
    .enum(['on', 'off'])
    .default('on')
    .describe('`off`: searches are answered by the database alone, without counts'),
  SEARCH_SHADOW: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.01)
    .describe('Share of searches that are compared with the database, at most one a second'),
  RATE_LIMIT_SCALE: z.coerce.number().positive().max(1_000_000).default(1).describe('Multiplies every limit'),
  TRUST_PROXY: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe(
      'How many proxies of your own stand in front; so many entries of `X-Forwarded-For` are believed',
    ),
  TURN_URLS: addresses(/^turns?:[\w.[\]:-]+(\?transport=(udp|tcp))?$/, 'must be turn: or turns: addresses')
    .optional()
    .describe(
      'Relays for video sessions, joined by commas: `turn:turn.example.org:3478,turns:turn.example.org:5349?transport=tcp`. Without one, video fails between many home networks',
    ),
  TURN_SECRET: z
    .string()
    .min(16)
    .optional()
    .describe('The secret shared with these relays (`static-auth-secret` of coturn)'),
  STUN_URLS: addresses(/^stuns?:[\w.[\]:-]+$/, 'must be stun: or stuns: addresses')
    .optional()
    .describe(
      'Servers that tell a browser its own address, joined by commas; no other party is asked when absent',
    ),
  ROOM_RELAY: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe(
      '`auto`: video goes through the relay unless the client chooses a direct connection; `always`: through the relay alone; `never`: directly, where the two networks let it',
    ),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{2,62}$/)
    .optional()
    .describe('Bucket that uploaded files are kept in, for all instances; in `DATA_DIR/media` when absent'),
  S3_ENDPOINT: httpUrl.optional().describe('Address of a service that speaks S3; Amazon’s own when absent'),
  S3_REGION: z.string().min(1).default('eu-west-2').describe('Its region'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('Its access key'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('The secret that belongs to it'),
  S3_DIRECT: flag
    .default(false)
    .describe(
      'Send browsers to the bucket itself, by addresses signed for a while, rather than pass files through; they must be able to reach it',
    ),
  CLAMD_URL: z
    .string()
    .regex(
      /^(tcp:\/\/(\[[0-9a-f:]{2,45}\]|[\w.-]{1,253}):\d{1,5}|unix:\/[^\0]{1,100})$/,
      'must be tcp://host:port or unix:/path',
    )
    .optional()
    .describe(
      'ClamAV’s daemon that looks through uploads, `tcp://host:port` or `unix:/path`; nothing is scanned when absent',
    ),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('Port where Prometheus reads `/metrics`; no such port when absent'),
  METRICS_HOST: z.string().min(1).default('127.0.0.1').describe('Address that this port listens on'),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(300)
    .default(0)
    .describe(
      'How long `/readyz` says no before the process stops, so that a balancer asks others meanwhile',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe(
      'Collector of OpenTelemetry traces, such as `http://127.0.0.1:4318`; nothing is traced when absent',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[\w-]+=[^,]+(,[\w-]+=[^,]+)*$/, 'must be name=value pairs joined by commas')
    .transform(readPairs)
    .optional()
    .describe('Headers that the collector asks for, such as `authorization=Bearer%20…`, joined by commas'),
  OTEL_SERVICE_NAME: z.string().min(1).max(100).default('hearth').describe('What traces call the product'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Which part of the traces is kept, where it is not decided by who asks: 0.1 for every tenth'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Least level logged'),
  WITHOUT_INTERNALS: z
    .string()
    .default('')
    .transform((names) => names.split(',').filter((name) => name !== ''))
    .pipe(z.array(z.enum(internals, `must be some of ${internals.join(', ')}, joined by commas`)))
    .describe(
      'What is done by the public interface of a library alone, more slowly, should a release of it have changed the private parts that the product uses: some of `prepared-calls`, `embedded-statements`, `connection-watch`, `gathered-packets`, `young-objects` and `page-scripts`, joined by commas',
    ),
})

type Settings = z.infer<typeof configSchema>

export type Config = Omit<Settings, 'SEED' | 'PUBLIC_URL'> & {
  /** Whether only this machine can reach the product. */
  isLocal: boolean
  SEED: 'demo' | 'reference' | 'none'
  PUBLIC_URL: string
}

const isOnThisMachine = (address: string) => loopback.test(new URL(address).hostname)

const isSafe = (address: string) => new URL(address).protocol === 'https:' || isOnThisMachine(address)

/** Former names of settings, which an installation may still set. */
const renamed = { OFFICE_EMAIL: 'BACK_OFFICE_EMAIL' }

/**
 * Reads the environment. An empty variable counts as absent.
 * @throws Error with a sentence that names the wrong variable.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  for (const [former, name] of Object.entries(renamed)) given[name] ??= given[former]
  const parsed = configSchema.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`${String(issue?.path[0])} is not usable: ${issue?.message}.`)
  }
  const config = parsed.data
  const seed = config.SEED ?? (config.DATABASE_URL ? 'reference' : 'demo')
  checkDemo(config, seed)
  checkDatabase(config)
  checkStripe(config)
  checkStorage(config, seed)
  checkTraces(config)
  checkRelay(config)
  if (config.IDENTITY_CLIENT_ID && !isSafe(config.IDENTITY_ISSUER)) {
    throw new Error('IDENTITY_ISSUER is not usable: plain http is for a provider on this machine alone.')
  }
  checkSignInScript(config)
  checkAllOrNone(config, ['GOOGLE_CALENDAR_CLIENT_ID', 'GOOGLE_CALENDAR_CLIENT_SECRET'])
  for (const name of ['GOOGLE_CALENDAR_API', 'GOOGLE_CALENDAR_OAUTH'] as const) {
    const address = config[name]
    const isOthers = address !== undefined && address !== configSchema.shape[name].parse(undefined)
    if (isOthers && !isOnThisMachine(address)) {
      throw new Error(`${name} is not usable: anything but Google's own must be on this machine.`)
    }
  }
  const host = config.HOST.includes(':') && !config.HOST.startsWith('[') ? `[${config.HOST}]` : config.HOST
  const publicUrl =
    config.PUBLIC_URL === undefined ? `http://${host}:${config.PORT}` : originOf(config.PUBLIC_URL)
  return {
    ...config,
    DATA_DIR: resolve(config.DATA_DIR),
    SEED: seed,
    PUBLIC_URL: publicUrl,
    isLocal: loopback.test(config.HOST) && isOnThisMachine(publicUrl) && !hasUnnamedProxy(config),
  }
}

/**
 * The configuration with what the database was filled with at its first start in the place of `SEED`.
 * @throws Error with a sentence where that is demo data, and demo data is refused
 */
export function forFilled(config: Config, filledWith: string): Config {
  const seed = configSchema.shape.SEED.unwrap().parse(filledWith)
  checkDemo(config, seed)
  checkStorage(config, seed)
  return { ...config, SEED: seed }
}

/** An origin as browsers write it: links, cookies and policies are made from it. */
function originOf(publicUrl: string): string {
  const { origin, href } = new URL(publicUrl)
  if (href !== `${origin}/`) {
    throw new Error('PUBLIC_URL is not usable: it must be an origin alone, such as https://hearth.example.')
  }
  return origin
}

/**
 * Refuses demo data and the sandbox gateway at an address that others can reach. Demo accounts have public passwords,
 * the sandbox gateway accepts cards that pay nothing, and the development sign-in, which comes with demo data, accepts
 * any email. Both addresses count: behind a proxy `HOST` is loopback while the public address is not, or is not named.
 */
function checkDemo(config: Settings, seed: Config['SEED']): void {
  if (config.ALLOW_DEMO) return
  const what =
    seed === 'demo' ? demoOf(config) : config.PAYMENT_GATEWAY === 'sandbox' ? 'The sandbox gateway' : null
  const where = !loopback.test(config.HOST)
    ? `HOST=${config.HOST}`
    : config.PUBLIC_URL && !isOnThisMachine(config.PUBLIC_URL)
      ? `PUBLIC_URL=${new URL(config.PUBLIC_URL).origin}`
      : hasUnnamedProxy(config)
        ? `TRUST_PROXY=${config.TRUST_PROXY} without PUBLIC_URL`
        : null
  if (what && where) {
    throw new Error(
      `${what} is refused on ${where}, which others can reach. Set ALLOW_DEMO=1 if that is meant.`,
    )
  }
}

/** A proxy stands in front, and what it is reached at is not known. */
const hasUnnamedProxy = ({ TRUST_PROXY, PUBLIC_URL }: Settings) => TRUST_PROXY > 0 && PUBLIC_URL === undefined

/** What a refusal calls the demo: the choice of this start, or that of the first one. */
function demoOf({ SEED }: Settings): string {
  return SEED === undefined || SEED === 'demo' ? 'SEED=demo' : 'The demo data in this database'
}

function checkDatabase(config: Settings): void {
  for (const name of ['DATABASE_ADMIN_URL', 'DATABASE_READ_URL', 'DATABASE_LISTEN_URL'] as const) {
    if (config[name] && !config.DATABASE_URL) throw new Error(`${name} is of no use without DATABASE_URL.`)
  }
  if (config.DATABASE_LISTEN_URL && config.REDIS_URL) {
    throw new Error('DATABASE_LISTEN_URL is of no use with REDIS_URL, which joins the instances.')
  }
  if (config.DATABASE_PREPARED === 'off' && config.DATABASE_URL && !config.DATABASE_ADMIN_URL) {
    throw new Error(
      'DATABASE_PREPARED=off needs DATABASE_ADMIN_URL with the address of the server itself: migrations hold a lock of their session.',
    )
  }
}

/** A script runs within the pages, and is handed what people sign in by. */
function checkSignInScript(config: Settings): void {
  const script = config.GOOGLE_SIGN_IN_SCRIPT
  if (script === 'none' || script === googleSignInScript) return
  if (!isOnThisMachine(script)) {
    throw new Error(
      'GOOGLE_SIGN_IN_SCRIPT is not usable: only a script on this machine may stand in for Google’s.',
    )
  }
  if (!config.IDENTITY_CLIENT_ID) {
    throw new Error('GOOGLE_SIGN_IN_SCRIPT is of no use without IDENTITY_CLIENT_ID.')
  }
}

/** Refuses settings that are of use together alone. Returns whether they are there. */
function checkAllOrNone(config: Settings, names: readonly (keyof Settings)[]): boolean {
  const given = names.find((name) => config[name] !== undefined)
  const missing = names.find((name) => config[name] === undefined)
  if (given && missing) throw new Error(`${given} is of no use without ${missing}.`)
  return given !== undefined
}

/** Addresses without the secret, or the reverse, would leave sessions without a relay. */
function checkRelay(config: Settings): void {
  const hasRelay = checkAllOrNone(config, ['TURN_URLS', 'TURN_SECRET'])
  if (config.ROOM_RELAY === 'always' && !hasRelay) throw new Error('ROOM_RELAY=always needs TURN_URLS.')
}

/** A collector's headers hold a secret of its own. */
function checkTraces(config: Settings): void {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config
  if (headers && !endpoint) {
    throw new Error('OTEL_EXPORTER_OTLP_HEADERS is of no use without OTEL_EXPORTER_OTLP_ENDPOINT.')
  }
  if (headers && endpoint && !isSafe(endpoint)) {
    throw new Error('OTEL_EXPORTER_OTLP_HEADERS is refused: plain http would show it to others on the way.')
  }
}

/** Half of a bucket is none of it. */
function checkStorage(config: Settings, seed: Config['SEED']): void {
  const hasBucket = checkAllOrNone(config, ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
  if (config.S3_DIRECT && !hasBucket) throw new Error('S3_DIRECT is of no use without S3_BUCKET.')
  if (config.S3_ENDPOINT && !hasBucket) throw new Error('S3_ENDPOINT is of no use without S3_BUCKET.')
  if (config.S3_ENDPOINT && !isSafe(config.S3_ENDPOINT)) {
    throw new Error('S3_ENDPOINT is not usable: plain http is for a service on this machine alone.')
  }
  if (hasBucket && seed === 'demo') {
    throw new Error(`${demoOf(config)} is refused with S3_BUCKET: made-up portraits are drawn into DATA_DIR.`)
  }
}

const stripeKeys = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const
const stripeStandIns = ['STRIPE_API_BASE', 'STRIPE_JS_URL'] as const

/** Checks that all keys of Stripe are given and match: otherwise a client who pays would be the first to notice. */
function checkStripe(config: Settings): void {
  if (config.PAYMENT_GATEWAY !== 'stripe') {
    const given = [...stripeKeys, ...stripeStandIns].find((name) => config[name] !== undefined)
    if (given) throw new Error(`${given} is given, but PAYMENT_GATEWAY is not stripe. Set both, or neither.`)
    return
  }
  const missing = stripeKeys.find((name) => config[name] === undefined)
  if (missing)
    throw new Error(`${missing} is missing: PAYMENT_GATEWAY=stripe needs ${stripeKeys.join(', ')}.`)
  const isLive = (key: string | undefined) => key?.includes('_live_') ?? false
  if (isLive(config.STRIPE_SECRET_KEY) !== isLive(config.STRIPE_PUBLISHABLE_KEY))
    throw new Error(
      'STRIPE_PUBLISHABLE_KEY does not belong to STRIPE_SECRET_KEY: one is live, one for tests.',
    )
  for (const name of stripeStandIns) {
    const address = config[name]
    if (address === undefined) continue
    // A stand-in for Stripe receives cards, and its script runs in the pages.
    if (!isOnThisMachine(address))
      throw new Error(`${name} is not usable: only a server on this machine may stand in for Stripe.`)
    if (isLive(config.STRIPE_SECRET_KEY)) throw new Error(`${name} is refused with live keys.`)
  }
}
