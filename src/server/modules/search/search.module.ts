import { minutes } from '../../clock.ts'
import { createSlidingLimit } from '../../http/sliding-limit.ts'
import { defineModule, type Given } from '../../module.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Schedules } from '../availability/schedule.service.ts'
import type { BookingOutbox } from '../bookings/mails/bookings.outbox.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { serveCrawlers } from './crawlers.pages.ts'
import { createDirectory } from './directory/directory.service.ts'
import { createGuidedSearch } from './guided-search.service.ts'
import { searchRefreshJob } from './search.jobs.ts'
import { searchRoutes } from './search.routes.ts'
import { createSearch, readOptions } from './search.service.ts'
import { serveSentenceForm } from './sentence/sentence.pages.ts'
import { createSentences } from './sentence/sentence.service.ts'
import { createSimilar } from './similar.service.ts'
import { createSitemaps } from './sitemaps.ts'

type Needs = {
  practitioners: Practitioners
  availability: Availability
  schedules: Schedules
  bookings: Bookings
  outbox: BookingOutbox
}

export const searchModule = defineModule('search', (given: Given<Needs>) => {
  const { outbox, publicUrl, profilesPerSitemap: perFile } = given
  const directory = createDirectory(given, given.searchIndex, () =>
    readOptions(given.db, given.practitioners),
  )
  const search = createSearch({ ...given, directory })
  outbox.suggestWith(search.comparable)
  const sentences = createSentences(given)
  const refusal = 'That was a lot of searches at once. Please wait a moment.'
  const limitOf = (hits: number) => createSlidingLimit({ hits, window: minutes(1), refusal }, given)
  const limits = { perAddress: limitOf(600), sentencesPerAddress: limitOf(60) }
  const sitemapsPerAddress = createSlidingLimit({ hits: 30, window: minutes(1) }, given)
  const sitemaps = createSitemaps({
    origin: publicUrl,
    listed: search.listedAfter,
    starts: search.listedStarts,
    clock: given.clock,
    ...(perFile ? { perFile } : {}),
  })
  return {
    services: { search, directory },
    routes: (serve) =>
      searchRoutes(
        serve,
        search,
        createGuidedSearch(given),
        createSimilar({ ...given, search }),
        sentences,
        limits,
      ),
    async pages(app) {
      app.addHook('onListen', async () => directory.start())
      app.addHook('onClose', () => directory.stop())
      await app.register(serveCrawlers, {
        origin: publicUrl,
        sitemaps,
        perAddress: sitemapsPerAddress,
      })
      await app.register(serveSentenceForm, { sentences, perAddress: limits.sentencesPerAddress })
    },
    lookups: { countMatches: (_, filters) => search.total(filters) },
    tidy: directory.tidy,
    jobs: (handle) => handle(searchRefreshJob, () => search.refresh()),
    // Search rows are updated or marked in the transaction that changes their source.
    on: {
      async 'practitioner.changed'(tx, { practitionerId }) {
        await search.project(tx, practitionerId)
        sitemaps.forget(tx, practitionerId)
      },
      'availability.changed': (tx, { practitionerId }) => search.markFreeTime(tx, practitionerId),
    },
  }
})
