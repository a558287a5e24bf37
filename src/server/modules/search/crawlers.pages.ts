import type { FastifyInstance, FastifyReply } from 'fastify'
import { publicPages } from '#contract/public-pages.ts'
import { addressOf } from '../../http/address.ts'
import type { SlidingLimit } from '../../http/sliding-limit.ts'
import { escapeMarkup } from '../../markup.ts'

export type CrawlerOptions = {
  /** `https://hearth.example`, without a slash at the end. */
  origin: string
  /** Profiles that are listed now, by id above `after`, at most `limit`. */
  listed(after: number, limit: number): Promise<{ id: number; changed_at: Date }[]>
  /** The first id of each file of profiles, `perFile` to a file. */
  starts(perFile: number): Promise<number[]>
  /** URLs per file of the sitemap; search engines accept 50,000 at most. */
  perFile?: number
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

/** Serves `robots.txt`, and a sitemap in files of limited length, built from the database on each request. */
export async function serveCrawlers(app: FastifyInstance, options: CrawlerOptions): Promise<void> {
  const { origin, listed, starts, perFile = 50_000, perAddress } = options

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
    const files = [
      '/sitemap/pages.xml',
      ...(await starts(perFile)).map((id) => `/sitemap/profiles-${id}.xml`),
    ]
    const entries = files.map((path) => `<sitemap><loc>${escapeMarkup(origin + path)}</loc></sitemap>`)
    return sendXml(reply, 'sitemapindex', entries)
  })

  app.get('/sitemap/pages.xml', async (_request, reply) =>
    sendXml(
      reply,
      'urlset',
      publicPages.map((path) => `<url><loc>${escapeMarkup(origin + path)}</loc></url>`),
    ),
  )

  app.get<{ Params: { first: string } }>(
    '/sitemap/profiles-:first(^[1-9]\\d{0,8}).xml',
    async (request, reply) => {
      perAddress.use(addressOf(request))
      const rows = await listed(Number(request.params.first) - 1, perFile)
      if (rows.length === 0) return reply.callNotFound()
      return sendXml(
        reply,
        'urlset',
        rows.map(
          ({ id, changed_at }) =>
            `<url><loc>${escapeMarkup(`${origin}/recommended-therapist?practitionerId=${id}`)}</loc>` +
            `<lastmod>${changed_at.toISOString()}</lastmod></url>`,
        ),
      )
    },
  )
}

function sendXml(reply: FastifyReply, root: string, entries: string[]) {
  return reply
    .type('application/xml; charset=utf-8')
    .header('cache-control', 'no-cache')
    .send(
      `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${root}>\n`,
    )
}
