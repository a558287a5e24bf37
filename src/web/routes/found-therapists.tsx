import { useEffect, useEffectEvent, useMemo } from 'react'
import {
  redirect,
  replace,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigation,
  useRevalidator,
  useSearchParams,
} from 'react-router'
import type { PractitionerList } from '#contract/search.ts'
import { cardsMarkup, knownCard } from '#web/features/practitioners/card-markup.server.tsx'
import { PractitionerCardSkeleton } from '#web/features/practitioners/PractitionerCard.tsx'
import { ResultCards } from '#web/features/practitioners/ResultCards.tsx'
import type { ShownCard } from '#web/features/practitioners/shown-card.ts'
import { writtenCards } from '#web/features/practitioners/written-cards.ts'
import {
  applied,
  filtersInWords,
  type OptionTotals,
  optionsOf,
  type PackedOptions,
  packOptions,
  sentOptions,
  unpackOptions,
} from '#web/features/search/active-filters.ts'
import {
  filterPairs,
  isCanonical,
  parseFilters,
  resultsPath,
  resultsPathname,
} from '#web/features/search/filters.ts'
import { ResultsPage } from '#web/features/search/ResultsPage.tsx'
import { SentenceSearch } from '#web/features/search/sentence/SentenceSearch.tsx'
import { hashOnItsWay } from '#web/features/search/use-filter-dialog.ts'
import { countsOf, type PackedCounts, packCounts, unpackCounts } from '#web/features/search/value-counts.ts'
import { HeartButton } from '#web/features/shortlist/HeartButton.tsx'
import { serverNow } from '#web/lib/clock.ts'
import { profilePath } from '#web/lib/profile-path.ts'
import { breadcrumbData, originOf, pageMeta } from '#web/lib/page-meta.ts'
import { canonicalPath } from '#web/lib/indexing.ts'
import { pageErrorOf } from '#web/lib/page-error.ts'
import type { PlainHandle } from '#web/lib/plain-page.ts'
import { serverApi } from '#web/lib/server-api.ts'
import { readPageContext } from '#web/lib/server-context.ts'
import { pageTitle } from '#web/lib/site.ts'
import { dayIn, type InstantLike, zoneNote } from '#web/lib/time.ts'
import { withUnsent } from '#web/lib/unsent.ts'
import { pageZone, useViewerZone } from '#web/lib/viewer-zone.ts'
import { ErrorPage } from '#web/features/layout/ErrorPage.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import type { Route } from './+types/found-therapists.ts'

export const handle: PlainHandle = { isPlain: true, comesAlive: true }

export const meta: Route.MetaFunction = ({ loaderData, location, matches }) => {
  const origin = originOf(matches)
  const filters = parseFilters(new URLSearchParams(location.search))
  const searched = loaderData
    ? filtersInWords(
        applied(filters, loaderData.meta.near_unknown !== undefined),
        unpackOptions(loaderData.options),
      )
    : ''
  const isIndexed = canonicalPath(location) !== undefined
  return pageMeta({
    title: pageTitle(
      [
        'List of Therapist or Psychiatrist',
        searched && `: ${searched}`,
        filters.page > 1 && `, page ${filters.page}`,
      ]
        .filter(Boolean)
        .join(''),
    ),
    description:
      'Vetted therapists and psychiatrists in the UK, with prices, reviews and the next free time of each.',
    data: isIndexed
      ? [
          {
            '@type': 'ItemList',
            numberOfItems: loaderData?.meta.total ?? 0,
            itemListElement: (loaderData?.cards ?? []).map(({ id }, at) => ({
              '@type': 'ListItem',
              position: at + 1,
              url: origin + profilePath(id),
            })),
          },
          breadcrumbData(origin, [
            { name: 'Home', path: '/' },
            { name: 'Find a Therapist or Psychiatrist', path: '/found-therapists' },
          ]),
        ]
      : [],
  })
}

/** Reads the results. Redirects an address from a form or an old link to the canonical address of its search first. */
export async function loader({ context, request, url: { searchParams } }: Route.LoaderArgs) {
  const filters = parseFilters(searchParams)
  if (!isCanonical(searchParams, filters)) throw redirect(resultsPath(filters))
  const api = serverApi(context)
  const [list, known] = await Promise.all([
    api('GET /practitioner/get-practitioners', {
      query: { ...Object.fromEntries(filterPairs(filters)), counts: true },
      signal: request.signal,
    }),
    api('GET /filter/i-know', { signal: request.signal }),
  ]).catch((error: unknown) => {
    throw pageErrorOf(error)
  })
  const { near } = list.meta
  if (near !== undefined && near !== filters.near) throw redirect(resultsPath({ ...filters, near }))
  const lastPage = Math.ceil(list.meta.total / list.meta.per_page)
  if (lastPage > 0 && filters.page > lastPage) throw redirect(resultsPath({ ...filters, page: lastPage }))
  const { keepUntil, isDocument } = readPageContext(context)
  if (list.meta.fresh_until) keepUntil(list.meta.fresh_until)
  const now = serverNow()
  const cards = list.data.map((found) => knownCard(found, filters.session_type))
  const { counts, needs, ...meta } = list.meta
  const { options, totals } = sentOptions(optionsOf(known), filters, countsOf({ counts, needs }))
  const packed = packCounts({ counts, needs }, options)
  const sent: Sent = { meta, options: packOptions(options), totals, ...(packed && { counts: packed }), now }
  // A document has the cards as markup.
  return isDocument ? withUnsent(sent, { cards, markup: cardsMarkup(cards, now) }) : { ...sent, cards }
}

type Sent = {
  meta: Omit<PractitionerList['meta'], 'counts' | 'needs'>
  options: PackedOptions
  totals: OptionTotals
  counts?: PackedCounts
  now: number
  cards?: ShownCard[]
  /** Of the cards, on the server alone. */
  markup?: string
}

const cardsOfDocument = new WeakMap<object, ShownCard[]>()

/** The cards of a page of results: read with it, or out of the document that it came with. */
function cardsOf(data: Sent): ShownCard[] {
  if (data.cards) return data.cards
  const cards = cardsOfDocument.get(data) ?? writtenCards()
  cardsOfDocument.set(data, cards)
  return cards
}

type Shown = { search: string; data: Awaited<ReturnType<typeof loader>> }

/** The results that were shown last, and whether they still are. */
let last: Shown | undefined
let isShown = false

/** Reads the results in the browser. The list that is shown stays if it cannot be read anew, or without a network. */
export async function clientLoader({
  request,
  serverLoader,
}: Route.ClientLoaderArgs): Promise<Shown['data']> {
  try {
    return await serverLoader()
  } catch (error) {
    if (error instanceof Response) throw withHash(error)
    if (!last || request.signal.aborted) throw error
    const isNetworkGone = error instanceof TypeError
    const isSame = last.search === new URL(request.url).search
    if (isSame && (isShown || isNetworkGone)) return last.data
    if (!isShown || !isNetworkGone) throw error
    showToast('You are offline, so we cannot search. Your list stays as it was.', 'info')
    throw replace(`${resultsPathname}${last.search}${hashOnItsWay()}`)
  }
}

/** A redirect to another spelling of the search, such as of a place: the panel of a phone stays open. */
function withHash(answer: Response): Response {
  const to = answer.headers.get('Location')
  if (to?.startsWith(resultsPathname)) answer.headers.set('Location', to + hashOnItsWay())
  return answer
}

/** Opening and closing the filters of a phone changes the hash alone. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const isSameSearch = currentUrl.pathname === nextUrl.pathname && currentUrl.search === nextUrl.search
  return isSameSearch && currentUrl.hash !== nextUrl.hash ? false : defaultShouldRevalidate
}

export default function FoundTherapists({ loaderData }: Route.ComponentProps) {
  const { meta: found, markup, totals, now } = loaderData
  const options = useMemo(() => unpackOptions(loaderData.options), [loaderData.options])
  const counts = useMemo(() => unpackCounts(loaderData.counts), [loaderData.counts])
  const [query] = useSearchParams()
  const filters = parseFilters(query)
  const zone = useViewerZone()
  const { location: next } = useNavigation()
  const pending =
    next?.pathname === resultsPathname ? parseFilters(new URLSearchParams(next.search)) : undefined
  const note = zoneNote(now, zone, pageZone)
  const hasDays = filters.date_from ?? filters.date_to
  const { search } = useLocation()
  useEffect(() => {
    last = { search, data: loaderData }
    isShown = true
    return () => {
      isShown = false
    }
  }, [search, loaderData])
  useFreshTimes(found.fresh_until, now)
  return (
    <>
      <div className="page">
        <PageHeading title="List of Therapist or Psychiatrist" />
      </div>
      <SentenceSearch filters={pending ?? filters} />
      <ResultsPage
        filters={filters}
        pending={pending}
        options={options}
        totals={totals}
        counts={counts}
        meta={found}
        today={dayIn(now, pageZone)}
        zoneNote={
          note && `Times are in ${note}.${hasDays ? ' The days you search by are days in London.' : ''}`
        }
        skeleton={<PractitionerCardSkeleton />}
      >
        <ResultCards cards={cardsOf(loaderData)} markup={markup} zone={zone} now={now} corner={hearts} />
      </ResultsPage>
    </>
  )
}

const hearts = ({ id, name }: ShownCard) => <HeartButton practitionerId={id} name={name} />

/** How long after a list that could not be read anew it is tried again. */
const refreshRetryMs = 60_000

/** Reads the list again once one of its times has passed, as soon as the reader looks at it. */
function useFreshTimes(until: string | null, now: InstantLike) {
  const { revalidate } = useRevalidator()
  const refresh = useEffectEvent(() => void revalidate())
  useEffect(() => {
    if (until === null) return undefined
    const readAt = performance.now()
    // By the server's clock; this device's may be wrong.
    const freshMs = Math.max(Date.parse(until) - new Date(now).getTime(), 1000)
    const look = () => {
      const isDue = performance.now() - readAt >= freshMs
      if (!isDue || document.visibilityState !== 'visible') return
      if (navigator.onLine) refresh()
      // What is read ends this.
      clearTimeout(timer)
      timer = setTimeout(look, refreshRetryMs)
    }
    let timer = setTimeout(look, freshMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [until, now])
}

/** Here rather than at the root, so that the frame stays. */
export const ErrorBoundary = ErrorPage
