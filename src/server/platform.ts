import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './clock.ts'
import type { Database } from './db/connection.ts'
import { createReads } from './db/reads.ts'
import type { Deps } from './deps.ts'
import type { DevelopmentProvider } from './development/identity-provider.ts'
import { createEvents } from './events.ts'
import type { MailPreview } from './http/development-mails.ts'
import { createLimits } from './http/limits.ts'
import { createUploadFolder } from './http/receive-file.ts'
import type { WebRendererOptions } from './http/web.ts'
import type { Random } from './ids.ts'
import type { CalendarProvider } from './integrations/calendar/port.ts'
import { openGazetteer, postcodesFile } from './integrations/gazetteer/gazetteer.ts'
import type { Gazetteer } from './integrations/gazetteer/port.ts'
import type { IdentityProvider } from './integrations/identity/port.ts'
import { localLive } from './integrations/live/local.ts'
import type { Live } from './integrations/live/port.ts'
import type { Mailer } from './integrations/mail/port.ts'
import type { ObjectStorage } from './integrations/object-storage/port.ts'
import type { PaymentGateway } from './integrations/payment-gateway/port.ts'
import type { PushSender } from './integrations/push/port.ts'
import { vapidSender } from './integrations/push/vapid.ts'
import { traced, type Tracing } from './integrations/tracing/port.ts'
import type { VirusScanner } from './integrations/virus-scanner/port.ts'
import { createQueue } from './jobs/queue.ts'
import type { Internal } from './library-internals/internals.ts'
import type { PasswordCost } from './modules/accounts/passwords.ts'
import type { RelaySettings } from './modules/rooms/rooms.relay.ts'
import { openSecrets, type Secrets } from './secrets.ts'
import { createInspector, type Inspector } from './uploads/inspector.ts'

export type AppOptions = {
  database: Database
  /** A replica of it; `maxAge` is how old what is read of it may be, in milliseconds. */
  replica?: { database: Database; maxAge: number } | undefined
  clock: Clock
  random: Random
  mailer: Mailer
  gateway: PaymentGateway
  /** The provider to sign in by, besides the password. */
  identityProvider?: IdentityProvider | undefined
  /** The provider for development on this machine, which accepts any email and name. */
  developmentIdentity?: DevelopmentProvider | undefined
  /** Previews of all mail templates, for development on this machine. */
  mailPreviews?: readonly MailPreview[] | undefined
  storage: ObjectStorage
  /** Scans uploads; nothing is scanned when absent. */
  virusScanner?: VirusScanner | undefined
  /** Inspects uploads; in threads of its own when absent. */
  inspector?: Inspector
  /** Whom practitioners may keep their own calendar with; none can be connected when absent. */
  calendarProvider?: CalendarProvider | undefined
  /** Speaks to push services; with a key in the data folder when absent. */
  push?: PushSender
  /** What joins the sockets of several instances; without it, this is the only one. */
  live?: Live
  log: FastifyBaseLogger
  /** Where people reach the product, without a slash at the end. */
  publicUrl: string
  /** The folder of uploads while they are inspected, and of the imported postcodes. */
  dataDirectory: string
  rateLimitScale: number
  /** What the database must not be able to tell is sealed with; by the key in the data folder when absent. */
  secrets?: Secrets
  /** Emails of admins who need no second factor: that of the demo data. */
  adminsWithoutSecondFactor?: readonly string[]
  /** What a password's hash costs: the recommended cost when absent, less in tests alone. */
  passwordCost?: PasswordCost | undefined
  /** How many proxies of our own stand in front. */
  trustedProxies: number
  /** Profiles to a file of the sitemap, where it is not 5,000. */
  profilesPerSitemap?: number
  /** How often sockets are looked at whose sign-in may have ended, where not every 4 seconds. Milliseconds. */
  socketSweepEvery?: number
  /** What a month's subscription costs those who subscribe from now on; £30 when absent. Pence. */
  subscriptionPence?: number
  /** Who invoices come from: name and address. */
  seller?: string
  /** Where the back office reads its mail; every admin's own address when absent. */
  backOfficeEmail?: string
  /** Relays for the rooms of sessions; browsers connect directly when absent. */
  relay?: RelaySettings
  /** The pages; without it, only the API is served. */
  web?: Omit<WebRendererOptions, 'cache' | 'callInProcess' | 'countPage' | 'releaseFiles' | 'readyAfter'>
  /** Follows requests and jobs through what they cause; nothing does when absent. */
  tracing?: Tracing | undefined
  /**
   * How searches are answered; by SQL alone when absent. `shadow` is the share that is compared with SQL, `threadFrom` from
   * how many practitioners on the index has a thread of its own.
   */
  searchIndex?: { mode: 'off' | 'background' | 'awaited'; shadow: number; threadFrom?: number }
  /** Private parts of libraries that are not used. */
  without?: readonly Internal[]
  /** Checks answers that are JSON text already against the contract, in tests. */
  checksText?: boolean
  /** Called between two steps of what spans several transactions; a test stops the product there. */
  checkpoint?: (step: string) => Promise<void>
}

type Same = 'rateLimitScale' | 'identityProvider' | 'calendarProvider' | 'virusScanner'
type Optional = 'backOfficeEmail' | 'profilesPerSitemap' | 'passwordCost'

/** What every module is given: the adapters of the outside world and the mechanisms that modules share. */
export type Platform = Deps & { [K in Same]: AppOptions[K] } & Pick<AppOptions, Optional> &
  Required<Pick<AppOptions, 'mailer' | 'gateway' | 'storage' | 'inspector' | 'push' | 'seller'>> &
  Required<Pick<AppOptions, 'adminsWithoutSecondFactor' | 'subscriptionPence'>> & {
    searchIndex: NonNullable<AppOptions['searchIndex']> & {
      /** Whether other instances write to the database. */
      isShared: boolean
    }
    /** Whether people reach the product by https. */
    isSecure: boolean
    relay: RelaySettings
    gazetteer: Gazetteer
    uploads: ReturnType<typeof createUploadFolder>
  }

/** Makes the platform: adapters are traced, and what is absent gets its default. */
export function createPlatform(options: AppOptions): Platform {
  const { database, clock, log, tracing, publicUrl, dataDirectory } = options
  const { db } = database
  const push = options.push ?? vapidSender({ directory: dataDirectory, contact: publicUrl, now: clock.now })
  return {
    db,
    reads: createReads({
      primary: database,
      replica: options.replica?.database,
      maxAge: options.replica?.maxAge ?? 0,
      log,
    }),
    clock,
    random: options.random,
    queue: createQueue(database, log, tracing),
    events: createEvents(),
    limits: createLimits(db, clock, options.rateLimitScale),
    secrets: options.secrets ?? openSecrets({ directory: dataDirectory }),
    live: options.live ?? localLive(),
    log,
    mailer: traced(tracing, 'mail', options.mailer),
    gateway: traced(tracing, 'cards', options.gateway),
    storage: traced(tracing, 'files', options.storage),
    push: traced(tracing, 'push', push),
    identityProvider: options.identityProvider && traced(tracing, 'identity', options.identityProvider),
    calendarProvider: options.calendarProvider && traced(tracing, 'calendar', options.calendarProvider),
    virusScanner: options.virusScanner,
    inspector: options.inspector ?? createInspector(),
    uploads: createUploadFolder(join(dataDirectory, 'uploads'), clock),
    gazetteer: openGazetteer(join(dataDirectory, postcodesFile)),
    searchIndex: {
      ...(options.searchIndex ?? { mode: 'off', shadow: 0 }),
      isShared: database.engine.kind === 'server',
    },
    publicUrl,
    isSecure: publicUrl.startsWith('https:'),
    rateLimitScale: options.rateLimitScale,
    seller: options.seller ?? 'Hearth',
    subscriptionPence: options.subscriptionPence ?? 3000,
    relay: options.relay ?? { stunUrls: [], relay: 'auto' },
    adminsWithoutSecondFactor: options.adminsWithoutSecondFactor ?? [],
    passwordCost: options.passwordCost,
    ...(options.backOfficeEmail ? { backOfficeEmail: options.backOfficeEmail } : {}),
    ...(options.profilesPerSitemap ? { profilesPerSitemap: options.profilesPerSitemap } : {}),
    checkpoint: options.checkpoint ?? (async () => undefined),
  }
}
