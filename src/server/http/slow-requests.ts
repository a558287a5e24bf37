import type { FastifyInstance } from 'fastify'
import { minutes, seconds } from '../clock.ts'
import { answerClientError } from './client-error.ts'

/** A whole upload may take so long on a slow line, as long as it goes on. */
export const uploadTimeout = minutes(30)
/** Every other request is sent whole within this. */
const usualTimeout = seconds(30)

/** Hangs up on those who send their request drop by drop, save for uploads, which may be large. */
export function hangUpOnSlowRequests(app: FastifyInstance, timeout = usualTimeout): void {
  app.addHook('onRequest', async (request) => {
    const { raw, routeOptions } = request
    const hasBody =
      raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined
    if (!hasBody || raw.complete || routeOptions.config.isUpload) return
    const timer = setTimeout(() => {
      answerClientError(
        Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
        raw.socket,
      )
    }, timeout)
    const stop = () => clearTimeout(timer)
    raw.once('end', stop)
    raw.once('close', stop)
  })
}
