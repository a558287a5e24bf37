import { later, minutes, type Clock } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { afterCommit } from '../../db/transaction.ts'

export type SitemapSource = {
  /** `https://hearth.example`, without a slash at the end. */
  origin: string
  /** Profiles that are listed now, by id above `after`, at most `limit`. */
  listed(after: number, limit: number): Promise<{ id: number; changed_at: Date; listed_until: Date }[]>
  /** The first id of each file of profiles, `perFile` to a file. */
  starts(perFile: number): Promise<number[]>
  /** URLs per file. Search engines accept 50,000; building so many stops the process for a quarter of a second. */
  perFile?: number
  clock: Clock
}

/** How long a file may be kept here. */
const sitemapAge = minutes(10)
/** Files that an instance keeps, of some 700 kB. */
const maxFiles = 32

/** `until`: when the first of its listings ends. */
type File = { xml: string; first: number; last: number; until?: Date }
type Kept = { until: Date; file: Promise<File | undefined> }

export type Sitemaps = ReturnType<typeof createSitemaps>

/** The sitemap's index and its files of profiles, each built once in a while. */
export function createSitemaps({ origin, listed, starts, perFile = 5000, clock }: SitemapSource) {
  /** By path, oldest first. */
  const kept = new Map<string, Kept>()

  return {
    async index(): Promise<string> {
      const file = await keep('/sitemap.xml', async () => {
        const firsts = await starts(perFile)
        const paths = ['/sitemap/pages.xml', ...firsts.map((id) => `/sitemap/profiles-${id}.xml`)]
        const entries = paths.map((path) => `<sitemap>${location(path)}</sitemap>`)
        // Any change may be one of its own.
        return { xml: document('sitemapindex', entries), first: 0, last: Number.POSITIVE_INFINITY }
      })
      return file?.xml ?? ''
    },

    pages: (paths: readonly string[]): string =>
      document(
        'urlset',
        paths.map((path) => `<url>${location(path)}</url>`),
      ),

    /** The file that begins with the profile `first`; undefined if none is listed from there on. */
    async profiles(first: number): Promise<string | undefined> {
      const file = await keep(`/sitemap/profiles-${first}.xml`, async () => {
        const rows = await listed(first - 1, perFile)
        const last = rows.at(-1)
        if (!last) return undefined
        const entries = rows.map(
          ({ id, changed_at }) =>
            `<url>${location(`/recommended-therapist?practitionerId=${id}`)}` +
            `<lastmod>${changed_at.toISOString()}</lastmod></url>`,
        )
        // A listing that begins later belongs to the last file, which is not full.
        const end = rows.length < perFile ? Number.POSITIVE_INFINITY : last.id
        const ends = rows.map(({ listed_until }) => listed_until.getTime())
        return { xml: document('urlset', entries), first, last: end, until: new Date(Math.min(...ends)) }
      })
      return file?.xml
    },

    /** Forgets the index and the files that a practitioner may come into or leave, after the commit. */
    forget(tx: Tx, practitionerId: number): void {
      afterCommit(tx, () => {
        for (const [path, entry] of kept) {
          const drop = (built?: File) => {
            const isOutside = built && (practitionerId < built.first || practitionerId > built.last)
            if (!isOutside && kept.get(path) === entry) kept.delete(path)
          }
          entry.file.then(drop, () => drop())
        }
      })
    },
  }

  /** Requests at the same time share what is built. What cannot be built, and files without a profile, are not kept. */
  async function keep(path: string, build: () => Promise<File | undefined>): Promise<File | undefined> {
    const now = clock.now()
    const there = kept.get(path)
    if (there && there.until > now) return there.file
    kept.delete(path)
    const entry: Kept = { until: later(now, sitemapAge), file: build() }
    kept.set(path, entry)
    const [oldest] = kept.keys()
    if (kept.size > maxFiles && oldest) kept.delete(oldest)
    const built = await entry.file.catch(() => undefined)
    if (!built && kept.get(path) === entry) kept.delete(path)
    if (built?.until && built.until < entry.until) entry.until = built.until
    return entry.file
  }

  /** An origin and the paths of a sitemap hold no character that XML escapes. */
  function location(path: string): string {
    return `<loc>${origin}${path}</loc>`
  }
}

function document(root: string, entries: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${root}>\n`
}
