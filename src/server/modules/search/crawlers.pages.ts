import type { FastifyInstance, FastifyReply } from 'fastify'
import { publicPages } from '#contract/public-pages.ts'
import { addressOf } from '../../http/address.ts'
import type { SlidingLimit } from '../../http/sliding-limit.ts'
import type { Sitemaps } from './sitemaps.ts'

export type CrawlerOptions = {
  /** `https://hearth.example`, without a slash at the end. */
  origin: string
  sitemaps: Sitemaps
  /** How many files of the sitemap an address may read. */
  perAddress: SlidingLimit
}

const disallowed = [
  '/api/',
  '/admin',
  '/therapist/',
  '/account',
  '/reset-password',
  '/verify-email',
  '/confirm-email',
]

/** Serves `robots.txt`, and a sitemap in files of limited length. */
export async function serveCrawlers(app: FastifyInstance, options: CrawlerOptions): Promise<void> {
  const { origin, sitemaps, perAddress } = options

  app.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        [
          'User-agent: *',
          ...disallowed.map((path) => `Disallow: ${path}`),
          `Sitemap: ${origin}/sitemap.xml`,
          '',
        ].join('\n'),
      ),
  )

  app.get('/sitemap.xml', async (request, reply) => {
    perAddress.use(addressOf(request))
    return sendXml(reply, await sitemaps.index())
  })

  app.get('/sitemap/pages.xml', async (_request, reply) => sendXml(reply, sitemaps.pages(publicPages)))

  app.get<{ Params: { first: string } }>(
    '/sitemap/profiles-:first(^[1-9]\\d{0,8}).xml',
    async (request, reply) => {
      perAddress.use(addressOf(request))
      const xml = await sitemaps.profiles(Number(request.params.first))
      return xml === undefined ? reply.callNotFound() : sendXml(reply, xml)
    },
  )
}

function sendXml(reply: FastifyReply, xml: string) {
  return reply.type('application/xml; charset=utf-8').header('cache-control', 'public, max-age=60').send(xml)
}
