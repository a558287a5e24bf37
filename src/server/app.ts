import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { type Clock, minutes } from './clock.ts'
import type { Database } from './db/connection.ts'
import type { DevelopmentProvider } from './development/identity-provider.ts'
import { afterCommit } from './db/transaction.ts'
import { fail } from './errors.ts'
import { createEvents } from './events.ts'
import { limitBodies } from './http/body-limits.ts'
import { answerClientError } from './http/client-error.ts'
import { receiveCalendarConsent } from './http/calendar-consent.ts'
import { serveCalendarFeed } from './http/calendar-feed.ts'
import { serveCrawlers } from './http/crawlers.ts'
import { watchDatabaseSpace } from './http/disk-space.ts'
import { answerError, handleErrors } from './http/error-handler.ts'
import { serveHealth } from './http/health.ts'
import { createIdempotency, type Idempotency } from './http/idempotency.ts'
import { createLimits } from './http/limits.ts'
import { mountDevelopmentIdentity } from './http/development-identity.ts'
import { type MailPreview, mountMailPreviews } from './http/development-mails.ts'
import { showFiles } from './http/files.ts'
import { redirectToIdentity } from './http/identity-redirects.ts'
import { serveMedia } from './http/media.ts'
import { describeApi, referencePage } from './http/openapi.ts'
import { createPageCache } from './http/page-cache.ts'
import { servePaymentWebhook } from './http/payment-webhook.ts'
import { createServe } from './http/serve.ts'
import { serveSocket } from './http/socket.ts'
import { hangUpOnSlowRequests, uploadTimeout } from './http/slow-requests.ts'
import { createSlidingLimit } from './http/sliding-limit.ts'
import { pathOfTarget } from './http/request-target.ts'
import { serveStopping } from './http/stopping.ts'
import { traceRequests } from './http/trace-requests.ts'
import { serveUnsubscribe } from './http/unsubscribe.ts'
import { type WebRendererOptions, webRenderer } from './http/web.ts'
import type { Random } from './ids.ts'
import type { CalendarProvider } from './integrations/calendar/port.ts'
import { localLive } from './integrations/live/local.ts'
import type { Live } from './integrations/live/port.ts'
import type { IdentityProvider } from './integrations/identity/port.ts'
import type { Mailer } from './integrations/mail/port.ts'
import type { ObjectStorage } from './integrations/object-storage/port.ts'
import type { PushSender } from './integrations/push/port.ts'
import type { VirusScanner } from './integrations/virus-scanner/port.ts'
import { vapidSender } from './integrations/push/vapid.ts'
import type { PaymentGateway } from './integrations/payment-gateway/port.ts'
import { traced, type Tracing } from './integrations/tracing/port.ts'
import { housekeepingJob } from './jobs/housekeeping.ts'
import { createQueue } from './jobs/queue.ts'
import { createMetrics } from './metrics.ts'
import { accountJobs } from './modules/accounts/accounts.jobs.ts'
import { createLeaving } from './modules/accounts/accounts.leaving.ts'
import {
  accountRoutes,
  identityRoutes,
  leavingRoutes,
  ownAccountRoutes,
  secondFactorRoutes,
} from './modules/accounts/accounts.routes.ts'
import { createAccounts } from './modules/accounts/accounts.service.ts'
import { accountsShare } from './modules/accounts/accounts.share.ts'
import { createPasswords, type PasswordCost } from './modules/accounts/passwords.ts'
import type { PersonalDataShare } from './modules/accounts/personal-data.ts'
import { calendarsDashboard } from './modules/calendars/dashboard.share.ts'
import { calendarJobs } from './modules/calendars/calendars.jobs.ts'
import { calendarRoutes } from './modules/calendars/calendars.routes.ts'
import { createCalendars } from './modules/calendars/calendars.service.ts'
import { availabilitySubscriptions } from './modules/availability/availability.jobs.ts'
import { scheduleDashboard } from './modules/availability/dashboard.share.ts'
import { availabilityRoutes } from './modules/availability/availability.routes.ts'
import { createAvailability } from './modules/availability/availability.service.ts'
import { createSchedules } from './modules/availability/schedule.service.ts'
import { createAuditChain } from './modules/back-office/audit-chain.service.ts'
import { backOfficeJobs, backOfficeSubscriptions } from './modules/back-office/back-office.jobs.ts'
import { backOfficeRoutes } from './modules/back-office/back-office.routes.ts'
import { createBackOffice } from './modules/back-office/back-office.service.ts'
import { chatDeskRoutes } from './modules/back-office/chat-desk.routes.ts'
import { createChatDesk } from './modules/back-office/chat-desk.service.ts'
import { paymentsDeskRoutes } from './modules/back-office/payments-desk.routes.ts'
import { createIncidentAlarm } from './modules/back-office/incidents.service.ts'
import { createLateReturnsAlarm } from './modules/back-office/late-returns.service.ts'
import { createVettingLapses } from './modules/back-office/vetting-lapses.service.ts'
import { createPaymentsDesk } from './modules/back-office/payments-desk.service.ts'
import { noShowDeskRoutes } from './modules/back-office/no-show-desk.routes.ts'
import { createNoShowDesk } from './modules/back-office/no-show-desk.service.ts'
import { practiceDeskRoutes } from './modules/back-office/practice-desk.routes.ts'
import { createPracticeDesk } from './modules/back-office/practice-desk.service.ts'
import { reportRoutes } from './modules/back-office/reports.routes.ts'
import { createReportDesk } from './modules/back-office/reports.service.ts'
import { createChange } from './modules/bookings/bookings.change.ts'
import { bookingJobs, bookingSubscriptions } from './modules/bookings/bookings.jobs.ts'
import { createFreezes } from './modules/bookings/bookings.freeze.ts'
import { createSessionCalendar } from './modules/bookings/bookings.calendar.ts'
import { createCalendarFeeds } from './modules/bookings/bookings.feed.ts'
import { createPaymentDesk } from './modules/bookings/bookings.desk.ts'
import { createBookingMailing } from './modules/bookings/bookings.mailing.ts'
import { createReferrals } from './modules/bookings/bookings.referral.ts'
import { createPracticeSessions } from './modules/bookings/bookings.practice.ts'
import {
  bookingRoutes,
  calendarFeedRoutes,
  noShowRoutes,
  practiceSessionRoutes,
} from './modules/bookings/bookings.routes.ts'
import { createPracticeSchedule } from './modules/bookings/bookings.schedule.ts'
import { createBookings } from './modules/bookings/bookings.service.ts'
import { createNoShows } from './modules/bookings/no-shows.service.ts'
import { bookingsShare } from './modules/bookings/bookings.share.ts'
import { bookingsDashboard } from './modules/bookings/dashboard.share.ts'
import { createChatCare } from './modules/chat/chat.care.ts'
import { chatEndings, chatJobs } from './modules/chat/chat.jobs.ts'
import { chatCareRoutes, chatRoutes } from './modules/chat/chat.routes.ts'
import { createChat } from './modules/chat/chat.service.ts'
import { chatShare } from './modules/chat/chat.share.ts'
import { createUnread } from './modules/chat/chat.unread.ts'
import { chatDashboard } from './modules/chat/dashboard.share.ts'
import { createInstantSessions } from './modules/bookings/bookings.instant.ts'
import { createDispatch } from './modules/get-help/get-help.dispatch.ts'
import { getHelpJobs, getHelpSubscriptions, helpWithdrawals } from './modules/get-help/get-help.jobs.ts'
import { createHelpMailing } from './modules/get-help/get-help.mailing.ts'
import { createMatching } from './modules/get-help/get-help.matching.ts'
import { createHelpNews } from './modules/get-help/get-help.news.ts'
import { createHelpPractice } from './modules/get-help/get-help.practice.ts'
import { getHelpRoutes } from './modules/get-help/get-help.routes.ts'
import { createGetHelp } from './modules/get-help/get-help.service.ts'
import { getHelpShare } from './modules/get-help/get-help.share.ts'
import { noticeJobs } from './modules/notices/notices.jobs.ts'
import { noticeRoutes } from './modules/notices/notices.routes.ts'
import { createNotices } from './modules/notices/notices.service.ts'
import { noticesShare } from './modules/notices/notices.share.ts'
import { ledgerDashboard } from './modules/payments/dashboard.share.ts'
import { paymentJobs } from './modules/payments/payments.jobs.ts'
import { paymentRoutes } from './modules/payments/payments.routes.ts'
import { createPayments } from './modules/payments/payments.service.ts'
import { paymentsShare } from './modules/payments/payments.share.ts'
import { createDocuments } from './modules/practitioners/documents.service.ts'
import { practiceRoutes } from './modules/practitioners/practice.routes.ts'
import { createPractice } from './modules/practitioners/practice.service.ts'
import { createDashboard } from './modules/practitioners/dashboard.ts'
import { dashboardRoutes } from './modules/practitioners/dashboard.routes.ts'
import { profileDashboard } from './modules/practitioners/dashboard.share.ts'
import { createProfileViews } from './modules/practitioners/profile-views.ts'
import { createPractitionerAccount } from './modules/practitioners/own-account.ts'
import {
  practitionerAccountRoutes,
  practitionerRoutes,
} from './modules/practitioners/practitioners.routes.ts'
import { createPractitioners } from './modules/practitioners/practitioners.service.ts'
import { vettingJobs } from './modules/practitioners/vetting.jobs.ts'
import { createVetting } from './modules/practitioners/vetting.service.ts'
import { reviewsDashboard } from './modules/reviews/dashboard.share.ts'
import { subscriptionsDashboard } from './modules/subscriptions/dashboard.share.ts'
import { reviewRoutes } from './modules/reviews/reviews.routes.ts'
import { createReviews } from './modules/reviews/reviews.service.ts'
import { reviewsShare } from './modules/reviews/reviews.share.ts'
import { createBooks } from './modules/subscriptions/subscriptions.books.ts'
import { createInvoices } from './modules/subscriptions/subscriptions.invoices.ts'
import { subscriptionJobs, subscriptionSubscriptions } from './modules/subscriptions/subscriptions.jobs.ts'
import { createBillingMailing } from './modules/subscriptions/subscriptions.mailing.ts'
import { subscriptionRoutes } from './modules/subscriptions/subscriptions.routes.ts'
import { createSubscriptions } from './modules/subscriptions/subscriptions.service.ts'
import { createVideos } from './modules/subscriptions/subscriptions.video.ts'
import { createVideoOrders } from './modules/subscriptions/video-orders.service.ts'
import { searchJobs, searchSubscriptions } from './modules/search/search.jobs.ts'
import { createGuidedSearch } from './modules/search/guided-search.service.ts'
import { searchRoutes } from './modules/search/search.routes.ts'
import { createSearch } from './modules/search/search.service.ts'
import { openSecrets, type Secrets } from './secrets.ts'
import { createInspector, type Inspector } from './uploads/inspector.ts'

export type AppOptions = {
  database: Database
  clock: Clock
  random: Random
  mailer: Mailer
  gateway: PaymentGateway
  /** Whom people may sign in by besides their password; nobody when absent. */
  identityProvider?: IdentityProvider | undefined
  /** A provider at which anybody may be anybody, on this machine. */
  developmentIdentity?: DevelopmentProvider | undefined
  /** Every mail there is, to be looked at on this machine. */
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
  /** Files lie below it for a moment while they are looked at. */
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
  /** Profiles to a file of the sitemap, where it is not what search engines take. */
  profilesPerSitemap?: number
  /** How often sockets are looked at whose sign-in may have ended, where not every 4 seconds. Milliseconds. */
  socketSweepEvery?: number
  /** What a month's subscription costs whoever subscribes from now on; £30 unless said otherwise. Pence. */
  subscriptionPence?: number
  /** Who invoices come from: name and address. */
  seller?: string
  /** Where the back office reads its mail; every admin's own address when absent. */
  officeEmail?: string
  /** The pages; without it, only the API is served. */
  web?: Omit<WebRendererOptions, 'cache'>
  /** Follows requests and jobs through what they cause; nothing does when absent. */
  tracing?: Tracing | undefined
  /** Called between two steps of what spans several transactions; a test stops the product there. */
  checkpoint?: (step: string) => Promise<void>
}

export type App = Awaited<ReturnType<typeof buildApp>>

/** The whole product, wired up and not yet listening. The same for `main.ts` and for tests. */
export async function buildApp(options: AppOptions) {
  const { database, clock, random, publicUrl, tracing, checkpoint = async () => undefined } = options
  const mailer = traced(tracing, 'mail', options.mailer)
  const gateway = traced(tracing, 'cards', options.gateway)
  const storage = traced(tracing, 'files', options.storage)
  const identityProvider = options.identityProvider && traced(tracing, 'identity', options.identityProvider)
  const calendarProvider = options.calendarProvider && traced(tracing, 'calendar', options.calendarProvider)
  const { seller = 'Hearth' } = options
  const isSecure = publicUrl.startsWith('https:')
  const { db } = database

  const app: FastifyInstance = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address, hop) => hop < options.trustedProxies,
    bodyLimit: 256 * 1024,
    requestTimeout: uploadTimeout,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    genReqId: () => randomUUID(),
    rewriteUrl: ({ url = '/' }) => pathOfTarget(url),
    // What comes on a connection while the product stops is answered like everything else.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  handleErrors(app)
  // First, so that what the other hooks do and log belongs to the request.
  if (tracing) traceRequests(app, tracing, options.trustedProxies > 0)
  logRequests(app)
  protectAnswers(app, isSecure)
  let openSockets = () => 0
  const metrics = createMetrics(app, database, () => openSockets())
  hangUpOnSlowRequests(app)
  limitBodies(app)
  closeConnectionsOnceIdle(app)
  const stopping = serveStopping(app)
  const space = watchDatabaseSpace(app, db)
  // Files are compressed at build time; for answers, a quick level is worth more than a small one.
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  await describeApi(app)

  const events = createEvents()
  const queue = createQueue(database, options.log, tracing)
  const limits = createLimits(db, clock, options.rateLimitScale)
  const secrets = options.secrets ?? openSecrets({ directory: options.dataDirectory })
  const live = options.live ?? localLive()
  const push = traced(
    tracing,
    'push',
    options.push ?? vapidSender({ directory: options.dataDirectory, contact: publicUrl, now: clock.now }),
  )
  const deps = { db, clock, random, queue, events, limits, secrets, live, log: options.log }

  const accounts = createAccounts({
    ...deps,
    mailer,
    publicUrl,
    adminsWithoutSecondFactor: options.adminsWithoutSecondFactor ?? [],
    passwords: createPasswords(options.passwordCost),
    identityProvider,
  })
  const notices = createNotices({ ...deps, push, publicUrl })
  const practitioners = createPractitioners(deps)
  const practice = createPractice({ ...deps, practitioners })
  const vetting = createVetting({ ...deps, practitioners, mailer, publicUrl })
  const inspector = options.inspector ?? createInspector()
  app.addHook('onClose', () => inspector.close())
  const documents = createDocuments({ ...deps, storage, inspector, scanner: options.virusScanner, practice })
  const availability = createAvailability({ ...deps, practitioners })
  const schedules = createSchedules({ ...deps, practitioners })
  const calendars = createCalendars({
    ...deps,
    accounts,
    practitioners,
    availability,
    provider: calendarProvider,
    mailer,
    publicUrl,
    checkpoint,
  })
  const payments = createPayments({ ...deps, gateway, checkpoint })
  const billing = createBillingMailing({ ...deps, accounts, practitioners, mailer, publicUrl })
  const paidDeps = { ...deps, accounts, practitioners, payments, mailing: billing, checkpoint, seller }
  const subscriptions = createSubscriptions({ ...paidDeps, pricePence: options.subscriptionPence ?? 3000 })
  const videoDeps = { ...paidDeps, mailer, publicUrl, officeEmail: options.officeEmail }
  const videos = createVideos(videoDeps)
  const videoOrders = createVideoOrders({ ...videoDeps, documents, videos })
  const invoices = createInvoices(paidDeps)
  const books = createBooks(paidDeps)
  const mailing = createBookingMailing({
    ...deps,
    accounts,
    practitioners,
    payments,
    notices,
    calendars,
    mailer,
    publicUrl,
    checkpoint,
  })
  const sessionCalendar = createSessionCalendar({ ...deps, calendars, practitioners, publicUrl })
  const bookingDeps = { ...deps, accounts, practitioners, availability, payments, mailing, checkpoint }
  const bookings = createBookings(bookingDeps)
  const change = createChange({ ...bookingDeps, bookings })
  const noShows = createNoShows({ ...bookingDeps, views: bookings })
  const practiceSessions = createPracticeSessions({ ...bookingDeps, noShows })
  const freezes = createFreezes({
    ...bookingDeps,
    bookings,
    notices,
    contactEmail: options.officeEmail ?? mailer.sender.address,
  })
  const unread = createUnread({ ...deps, accounts, notices, mailer, publicUrl })
  const chat = createChat({
    ...deps,
    unread,
    sessions: practiceSessions,
    accounts,
    practitioners,
    bookings,
    rateLimitScale: options.rateLimitScale,
  })
  const chatCare = createChatCare({ ...deps, chat })
  const referrals = createReferrals({ ...deps, accounts })
  const reviews = createReviews({ ...deps, accounts, practitioners, bookings })
  const practiceSchedule = createPracticeSchedule({ ...deps, accounts, practitioners, schedules })
  const calendarFeeds = createCalendarFeeds({ ...deps, accounts, practitioners, schedules, publicUrl })
  const instant = createInstantSessions(bookingDeps)
  const helpMailing = createHelpMailing({ ...deps, accounts, practitioners, payments, mailer, publicUrl })
  const helpDeps = {
    ...deps,
    practitioners,
    availability,
    payments,
    bookings,
    instant,
    matching: createMatching({ clock, availability, practitioners, bookings }),
    mailing: helpMailing,
    news: createHelpNews({ live, notices }),
    chat,
    checkpoint,
  }
  const dispatch = createDispatch(helpDeps)
  const getHelp = createGetHelp({ ...helpDeps, dispatch })
  const helpPractice = createHelpPractice({ ...deps, practitioners, dispatch })
  const search = createSearch({ ...deps, practitioners, availability, bookings })
  mailing.suggestWith(search.comparable)
  const guidedSearch = createGuidedSearch(deps)
  const backOffice = createBackOffice({ ...deps, vetting, documents, freezes, dispatch })
  const paidSessions = createPaymentDesk({ clock, payments, mailing })
  const paymentsDesk = createPaymentsDesk({ ...deps, payments, freezes, desk: paidSessions })
  const lateReturns = createLateReturnsAlarm({
    ...deps,
    desk: paidSessions,
    accounts,
    mailer,
    publicUrl,
    officeEmail: options.officeEmail,
  })
  const incidentAlarm = createIncidentAlarm({
    ...deps,
    payments,
    accounts,
    mailer,
    publicUrl,
    officeEmail: options.officeEmail,
  })
  const vettingLapses = createVettingLapses({
    ...deps,
    vetting,
    freezes,
    practitioners,
    accounts,
    mailer,
    publicUrl,
    officeEmail: options.officeEmail,
  })
  const practiceDesk = createPracticeDesk({ ...deps, payments, practitioners, videoOrders })
  const noShowDesk = createNoShowDesk({ ...deps, noShows })
  const reportDesk = createReportDesk({ ...deps, reviews })
  const auditChain = createAuditChain({
    ...deps,
    accounts,
    mailer,
    publicUrl,
    officeEmail: options.officeEmail,
  })

  // What a practitioner sees first: later modules add their parts and tasks here.
  const profileShare = profileDashboard({ ...deps, practice })
  const sessionsShare = bookingsDashboard(practiceSessions)
  const reviewsPart = reviewsDashboard(reviews)
  const dashboard = createDashboard({
    ...deps,
    practitioners,
    parts: {
      ...profileShare.parts,
      ...sessionsShare.parts,
      ...ledgerDashboard.parts,
      ...reviewsPart.parts,
      ...chatDashboard.parts,
    },
    tasks: [
      profileShare,
      subscriptionsDashboard({ ...deps, practitioners }),
      scheduleDashboard,
      calendarsDashboard(calendars),
      sessionsShare,
      reviewsPart,
    ],
  })
  const viewsPerAddress = createSlidingLimit({ hits: 1, window: minutes(30), scale: 1, clock })
  const profileViews = createProfileViews({ ...deps, practitioners, isNew: viewsPerAddress.isFree })

  const searchesPerAddress = createSlidingLimit({
    hits: 600,
    window: minutes(1),
    scale: options.rateLimitScale,
    clock,
  })

  const readLimit = (hits: number) =>
    createSlidingLimit({
      hits,
      window: minutes(1),
      scale: options.rateLimitScale,
      clock,
      refusal: 'That was a lot at once. Please wait a moment and try again.',
    })

  const idempotency = createIdempotency(db, clock)
  const cardsAndPayments = paymentsShare({ ...deps, gateway })
  const shares = [
    reviewsShare({ events }),
    chatShare({ secrets, live }),
    noticesShare(),
    getHelpShare({ dispatch }),
    bookingsShare({ clock, availability, payments }),
    cardsAndPayments,
    rememberedAnswers(idempotency),
    accountsShare({ ...deps, accounts }),
  ]
  const leaving = createLeaving({ ...deps, accounts, shares })
  queue.handle(housekeepingJob, async () => {
    await accounts.tidy()
    await chat.tidy()
    await notices.tidy()
    await limits.tidy()
    await idempotency.tidy()
    await payments.tidyNotices()
    await leaving.forgetOld()
    await documents.tidy()
    if (await leaving.hasAnybodyLeft()) await database.scrub(shares.flatMap((share) => share.tables))
  })
  accountJobs(queue, accounts)
  vettingJobs(queue, vetting)
  paymentJobs(queue, payments, cardsAndPayments)
  subscriptionJobs(queue, subscriptions, billing, videos, videoOrders)
  subscriptionSubscriptions(events, subscriptions, invoices)
  calendarJobs(queue, calendars)
  bookingJobs(queue, bookings, freezes, mailing, sessionCalendar)
  noticeJobs(queue, events, notices)
  chatJobs(queue, unread)
  events.on('therapist.registered', (tx, { accountId }) => practitioners.create(tx, accountId))
  helpWithdrawals(events, dispatch)
  bookingSubscriptions(events, freezes, mailing, sessionCalendar)
  getHelpJobs(queue, dispatch, helpMailing)
  getHelpSubscriptions(events, helpMailing)
  chatEndings(events, chat)
  backOfficeJobs(queue, lateReturns, auditChain, incidentAlarm, vettingLapses)
  backOfficeSubscriptions(events, backOffice, incidentAlarm)
  searchJobs(queue, search)
  availabilitySubscriptions(events, schedules)
  searchSubscriptions(events, search)

  await app.register(
    async (api) => {
      const { serve, unserved } = await createServe(api, {
        identify: accounts.identify,
        identifyInChat: chat.identify,
        isSuspended: practitioners.isSuspended,
        idempotency,
        limits,
        reads: { perAddress: readLimit(3000), perAccount: readLimit(900) },
        uploadDirectory: join(options.dataDirectory, 'uploads'),
      })
      accountRoutes(serve, accounts, isSecure)
      identityRoutes(serve, accounts, isSecure)
      secondFactorRoutes(serve, accounts)
      ownAccountRoutes(serve, accounts, isSecure)
      leavingRoutes(serve, leaving)
      practitionerRoutes(serve, practitioners)
      practitionerAccountRoutes(serve, createPractitionerAccount({ ...deps, accounts }))
      availabilityRoutes(serve, availability, schedules)
      calendarRoutes(serve, calendars, isSecure)
      practiceRoutes(serve, practice, documents)
      paymentRoutes(serve, payments)
      bookingRoutes(serve, bookings, change, referrals, practiceSchedule)
      calendarFeedRoutes(serve, calendarFeeds)
      practiceSessionRoutes(serve, practiceSessions, freezes)
      noShowRoutes(serve, noShows)
      dashboardRoutes(serve, dashboard, profileViews)
      subscriptionRoutes(serve, { subscriptions, videos, videoOrders, invoices, books })
      chatRoutes(serve, chat)
      chatCareRoutes(serve, chatCare)
      noticeRoutes(serve, notices)
      reviewRoutes(serve, reviews)
      getHelpRoutes(serve, getHelp, helpPractice)
      searchRoutes(serve, search, guidedSearch, searchesPerAddress)
      backOfficeRoutes(serve, backOffice, vettingLapses)
      reportRoutes(serve, reportDesk)
      paymentsDeskRoutes(serve, paymentsDesk)
      practiceDeskRoutes(serve, practiceDesk)
      noShowDeskRoutes(serve, noShowDesk)
      chatDeskRoutes(serve, createChatDesk({ ...deps, care: chatCare }))
      const missing = unserved()
      if (missing.length > 0) throw new Error(`Nobody serves ${missing.join(', ')}.`)
      showFiles(api, documents.open)
      redirectToIdentity(api, accounts.identities, isSecure)
      receiveCalendarConsent(api, calendars.finish, isSecure)
      api.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
    },
    { prefix: '/api/v7' },
  )
  app.get('/api/docs', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(referencePage(app.swagger() as Parameters<typeof referencePage>[0])),
  )
  const health = serveHealth(app, db, space)
  const sockets = serveSocket(app, {
    live,
    chat,
    clock,
    publicUrl,
    rateLimitScale: options.rateLimitScale,
    sweepEvery: options.socketSweepEvery,
    tracing,
  })
  openSockets = sockets.open
  await app.register(serveMedia, { storage })
  if (gateway.readNotice) {
    await servePaymentWebhook(app, { provider: gateway.name, take: payments.takeNotice })
  }
  await serveUnsubscribe(app, notices.stopMails)
  if (options.developmentIdentity) mountDevelopmentIdentity(app, options.developmentIdentity)
  if (options.mailPreviews) mountMailPreviews(app, options.mailPreviews)
  await app.register(serveCalendarFeed, {
    read: calendarFeeds.read,
    perAddress: createSlidingLimit({
      hits: 120,
      window: minutes(1),
      scale: options.rateLimitScale,
      clock,
    }),
  })
  await app.register(serveCrawlers, {
    origin: publicUrl,
    listed: search.listedAfter,
    starts: search.listedStarts,
    ...(options.profilesPerSitemap ? { perFile: options.profilesPerSitemap } : {}),
  })
  app.setNotFoundHandler((request, reply) =>
    answerError(fail('not_found', 'There is nothing at this address.'), request, reply),
  )
  if (options.web) {
    const cache = createPageCache(() => clock.now().getTime())
    for (const change of ['practitioner.changed', 'availability.changed'] as const) {
      events.on(change, async (tx) => afterCommit(tx, cache.forget))
    }
    await app.register(webRenderer, { ...options.web, cache })
  }
  await app.ready()

  return {
    app,
    metrics,
    /** From here on `/readyz` says that others should be asked; everything is answered as before, and its connection closed. */
    drain() {
      health.drain()
      stopping.begin()
    },
    queue,
    secrets,
    shares,
    services: {
      accounts,
      practitioners,
      documents,
      vetting,
      availability,
      calendars,
      payments,
      subscriptions,
      bookings,
      chat,
      unread,
      notices,
      mailing,
      reviews,
      dispatch,
      search,
      backOffice,
      lateReturns,
    },
    async close() {
      await stopping.finish()
      await app.close()
      await stopping.disconnect()
      await queue.stop()
      await database.close()
    },
  }
}

/** Answers kept for repeated requests say again what the tables say: they are not exported, and go with the account. */
function rememberedAnswers(idempotency: Idempotency): PersonalDataShare {
  return {
    tables: ['idempotency_keys'],
    kept: [],
    exported: async () => [],
    erase: (tx, { accountId }) => idempotency.forget(tx, accountId),
  }
}

/**
 * When the product stops, a connection that answers its last request just then is closed right after, rather than when
 * its keep-alive runs out.
 */
function closeConnectionsOnceIdle(app: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    timer = setInterval(() => app.server.closeIdleConnections(), 50).unref()
  })
  app.server.on('close', () => clearInterval(timer))
}

/** Pages bring a policy of their own, and their files are parts of them. */
const isNoPage = /^\/(api|media|webhooks|unsubscribe|calendar|healthz|readyz|socket)(?=[/?#]|$)/

/** What every answer is sent with, so that a browser shows nothing of it as a page, and asks by https from then on. */
function protectAnswers(app: FastifyInstance, isSecure: boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isSecure) reply.header('strict-transport-security', 'max-age=31536000')
    if (!isNoPage.test(request.url)) return
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    reply.header('x-frame-options', 'DENY')
  })
}

/** One line per request with the route's pattern: an address may hold ids, a query what somebody looks for. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'no-referrer')
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}
