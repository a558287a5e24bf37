import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { composeModules } from './composition.ts'
import { afterCommit } from './db/transaction.ts'
import { protectAnswers } from './http/answer-headers.ts'
import { limitBodies } from './http/body-limits.ts'
import { answerClientError } from './http/client-error.ts'
import { compressAnswers } from './http/compression.ts'
import { mountDevelopmentIdentity } from './http/development-identity.ts'
import { mountMailPreviews } from './http/development-mails.ts'
import { watchDatabaseSpace } from './http/disk-space.ts'
import { answerError, handleErrors } from './http/error-handler.ts'
import { serveHealth } from './http/health.ts'
import { createIdempotency } from './http/idempotency.ts'
import { serveMedia } from './http/media.ts'
import { serveReference } from './http/reference.ts'
import { createPageCache } from './http/page-cache.ts'
import { createReleaseFiles } from './http/release-files.ts'
import { logRequests } from './http/request-log.ts'
import { pathOfTarget } from './http/request-target.ts'
import { createServe } from './http/serve.ts'
import { hangUpOnSlowRequests, uploadTimeout } from './http/slow-requests.ts'
import { serveSocket } from './http/socket.ts'
import { closeConnectionsOnceIdle, serveStopping } from './http/stopping.ts'
import { traceRequests } from './http/trace-requests.ts'
import { webRenderer } from './http/web.ts'
import { keepHouse } from './jobs/housekeeping.ts'
import { createMetrics } from './metrics.ts'
import type { ChargeFigures } from './modules/bookings/reserved/reserved.payment.ts'
import type { DirectoryFigures } from './modules/search/directory/directory.service.ts'
import { type AppOptions, createPlatform } from './platform.ts'

/** The whole product, composed and not yet listening. The same for `main.ts` and for tests. */
export async function buildApp(options: AppOptions) {
  const { database, clock, tracing, publicUrl } = options
  const platform = createPlatform(options)
  const { db, events, queue, limits, live, secrets, reads, uploads } = platform

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
  protectAnswers(app, platform.isSecure)
  let openSockets = () => 0
  let directoryFigures: (() => DirectoryFigures) | undefined
  let chargeFigures: (() => ChargeFigures) | undefined
  const metrics = createMetrics(app, {
    database,
    reads,
    queue,
    openSockets: () => openSockets(),
    directory: () => directoryFigures?.(),
    charges: () => chargeFigures?.(),
  })
  hangUpOnSlowRequests(app)
  limitBodies(app)
  closeConnectionsOnceIdle(app)
  const stopping = serveStopping(app)
  const space = watchDatabaseSpace(app, db)
  app.addHook('onClose', () => platform.inspector.close())
  await compressAnswers(app)

  const idempotency = createIdempotency(db, clock)
  const { services, modules, contributions } = composeModules(platform, idempotency)
  const { accounts, chat, erasure, practitioners, rooms } = services
  directoryFigures = services.directory.figures
  chargeFigures = services.reserved.figures
  for (const { jobs, on = {} } of modules) {
    jobs?.(queue.handle)
    events.subscribe(on)
  }
  const scrub = async () => {
    if (!(await erasure.hasErasedAccounts())) return
    await database.scrub(contributions.personalData().flatMap(({ tables }) => tables))
  }
  keepHouse(queue, [...modules.map(({ tidy }) => tidy), limits.tidy, idempotency.tidy, scrub, uploads.tidy])

  let served: Awaited<ReturnType<typeof createServe>> | undefined
  await app.register(
    async (api) => {
      served = await createServe(api, {
        identify: accounts.identify,
        identifyInChat: chat.identify,
        isSuspended: practitioners.isSuspended,
        idempotency,
        limits,
        clock,
        rateLimitScale: options.rateLimitScale,
        uploadDirectory: uploads.directory,
        tracing,
        observe: metrics.observe,
        checksText: options.checksText ?? false,
      })
      const { serve, unserved } = served
      for (const { routes, apiPages } of modules) {
        routes?.(serve)
        apiPages?.(api)
      }
      const missing = unserved()
      if (missing.length > 0) throw new Error(`No module serves ${missing.join(', ')}.`)
    },
    { prefix: '/api/v7' },
  )
  await serveReference(app)
  const { drain: sayDraining, readyAfter } = serveHealth(app, db, space)
  const sockets = serveSocket(app, {
    live,
    chat,
    rooms,
    clock,
    publicUrl,
    trustedProxies: options.trustedProxies,
    rateLimitScale: options.rateLimitScale,
    sweepEvery: options.socketSweepEvery,
    tracing,
    without: options.without,
  })
  openSockets = sockets.open
  await app.register(serveMedia, { storage: platform.storage })
  for (const { pages } of modules) await pages?.(app)
  if (options.developmentIdentity) mountDevelopmentIdentity(app, options.developmentIdentity)
  if (options.mailPreviews) mountMailPreviews(app, options.mailPreviews)
  for (const change of ['practitioner.changed', 'availability.changed'] as const) {
    events.on(change, async (tx, { practitionerId }) => afterCommit(tx, () => reads.changed(practitionerId)))
  }
  if (options.web && served) {
    const { callInProcess, countPage } = served
    const cache = createPageCache(() => clock.now().getTime())
    services.directory.onChangeElsewhere(cache.forget)
    for (const change of ['practitioner.changed', 'availability.changed'] as const) {
      events.on(change, async (tx) => afterCommit(tx, cache.forget))
    }
    const directory = join(options.web.buildDirectory, 'client', 'assets')
    const releaseFiles = createReleaseFiles({ db, clock, secrets, directory })
    const given = { cache, callInProcess, countPage, releaseFiles, readyAfter }
    await app.register(webRenderer, { ...options.web, ...given })
  }
  await app.ready()

  return {
    app,
    metrics,
    /** From here on `/readyz` answers 503; other requests are answered as before, and their connections closed. */
    drain() {
      sayDraining()
      stopping.begin()
    },
    queue,
    reads,
    secrets,
    services,
    personalData: contributions.personalData,
    async close() {
      await stopping.finish()
      await app.close()
      await stopping.disconnect()
      await queue.stop()
      await Promise.all([live.close(), reads.close()])
      await database.close()
    },
  }
}
