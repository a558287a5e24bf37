import type { Serve } from '../../http/serve.ts'
import type { SlidingLimit } from '../../http/sliding-limit.ts'
import { JsonText } from '../../json-text.ts'
import type { GuidedSearch } from './guided-search.service.ts'
import type { Search } from './search.service.ts'
import type { Sentences } from './sentence/sentence.service.ts'
import type { Similar } from './similar.service.ts'

export function searchRoutes(
  serve: Serve,
  search: Search,
  guidedSearch: GuidedSearch,
  similar: Similar,
  sentences: Sentences,
  limits: { perAddress: SlidingLimit; sentencesPerAddress: SlidingLimit },
): void {
  const { perAddress, sentencesPerAddress } = limits
  serve('GET /filter/need-assistance', () => guidedSearch.categories())
  serve('POST /find-recommended-therapy', ({ body, address }) => {
    perAddress.use(address)
    return guidedSearch.recommend(body)
  })
  serve('GET /filter/i-know', async () => JsonText.of(await search.filterData()))
  serve('GET /practitioner/get-practitioners', ({ query, address }) => {
    perAddress.use(address)
    return search.find(query)
  })
  serve('GET /appointment/{appointment_id}/alternatives', ({ caller, params, address }) => {
    perAddress.use(address)
    return search.alternatives(caller, params.appointment_id)
  })
  serve('POST /search/parse', ({ body, address }) => {
    sentencesPerAddress.use(address)
    return sentences.read(body.q)
  })
  serve('GET /practitioner/{id}/profile', ({ caller, params }) => search.profile(caller, params.id))
  serve('GET /practitioner/{id}/similar', ({ params, address }) => {
    perAddress.use(address)
    return similar(params.id)
  })
  serve('POST /practitioner/cards', ({ body, address }) => {
    perAddress.use(address)
    return search.cards(body.practitioner_ids)
  })
  serve('POST /practitioner/compare', ({ body, address }) => {
    perAddress.use(address)
    return search.compare(body.practitioner_ids)
  })
}
