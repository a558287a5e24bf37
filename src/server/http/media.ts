import type { FastifyInstance } from 'fastify'
import { fail } from '../errors.ts'
import type { ObjectStorage } from '../integrations/object-storage/port.ts'
import { sendObject } from './send-object.ts'

/** Paths of public files, with their content types. No other key is looked up in the storage. */
const kinds: readonly { form: RegExp; type: string; isServedHere?: true }[] = [
  { form: /^portraits\/[a-z0-9][a-z0-9-]{0,63}\/(64|256|1024)\.webp$/, type: 'image/webp' },
  { form: /^portraits\/[a-z0-9][a-z0-9-]{0,63}\/(64|256|1024)\.jpg$/, type: 'image/jpeg' },
  { form: /^videos\/[a-z0-9][a-z0-9-]{0,63}\.mp4$/, type: 'video/mp4' },
  { form: /^videos\/[a-z0-9][a-z0-9-]{0,63}\.webm$/, type: 'video/webm' },
  // A player reads captions from its page's own origin alone.
  { form: /^videos\/[a-z0-9][a-z0-9-]{0,63}\.vtt$/, type: 'text/vtt; charset=utf-8', isServedHere: true },
]

/** A key is never used for another file. */
const forGood = 'public, max-age=31536000, immutable'
/** Addresses at the storage stay the same for so long, for browsers' caches, and are good for as long again. Seconds. */
const period = 3600

/**
 * Serves portraits, videos and their captions below `/media/`, or redirects browsers to a signed address of the storage. The files are
 * public, but addresses that expire let the bucket stay private, closed to listing and guessing.
 */
export async function serveMedia(
  app: FastifyInstance,
  { storage, now = () => new Date() }: { storage: ObjectStorage; now?: () => Date },
): Promise<void> {
  app.get('/media/*', async (request, reply) => {
    const key = (request.params as { '*': string })['*']
    const kind = kinds.find(({ form }) => form.test(key))
    // The signature is for GET alone; HEAD is answered here.
    if (kind && !kind.isServedHere && storage.address && request.method === 'GET') {
      const seconds = Math.floor(now().getTime() / 1000)
      const since = seconds - (seconds % period)
      const address = await storage.address(key, {
        contentType: kind.type,
        cacheControl: forGood,
        seconds: 2 * period,
        since: new Date(since * 1000),
      })
      return reply
        .header('cache-control', `public, max-age=${since + period - seconds}`)
        .redirect(address, 302)
    }
    const object = kind && (await storage.get(key))
    if (!object) throw fail('not_found', 'There is nothing at this address.')
    reply.type(kind.type).header('cache-control', forGood)
    return sendObject(request, reply, object, (range) => storage.get(key, range))
  })
}
