import type { FastifyInstance } from 'fastify'
import { fail } from '../../../errors.ts'
import { addressOf } from '../../../http/address.ts'
import type { SlidingLimit } from '../../../http/sliding-limit.ts'

type Options = {
  /** The file behind a secret link, if there is one. */
  read(token: string): Promise<string | undefined>
  perAddress: SlidingLimit
}

const file = /^([\w-]{43})\.ics$/

/**
 * Serves calendars below `/calendar/`. The secret link is the only credential, because calendar apps do not sign in.
 */
export async function serveCalendarFeed(app: FastifyInstance, { read, perAddress }: Options): Promise<void> {
  app.get('/calendar/:file', async (request, reply) => {
    perAddress.use(addressOf(request))
    const [, token] = file.exec((request.params as { file: string }).file) ?? []
    const calendar = token && (await read(token))
    if (!calendar) throw fail('not_found', 'There is nothing at this address.')
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('x-robots-tag', 'noindex')
      .send(calendar)
  })
}
