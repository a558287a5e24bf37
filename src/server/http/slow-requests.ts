import type { FastifyInstance } from 'fastify'
import { minutes, seconds } from '../clock.ts'
import { answerClientError } from './client-error.ts'

/** How long a whole upload may take on a slow line. */
export const uploadTimeout = minutes(30)
/** How long any other request may take to arrive. */
const usualTimeout = seconds(30)

/** Disconnects clients that send a request too slowly. Uploads, which may be large, get a longer time. */
export function hangUpOnSlowRequests(app: FastifyInstance, timeout = usualTimeout): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw, routeOptions } = request
    const hasBody =
      raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined
    if (!hasBody || raw.complete || routeOptions.config.isUpload) return done()
    const timer = setTimeout(() => {
      answerClientError(
        Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
        raw.socket,
      )
    }, timeout)
    const stop = () => clearTimeout(timer)
    raw.once('end', stop)
    raw.once('close', stop)
    done()
  })
}
