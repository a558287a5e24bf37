import { redirect, useNavigation, useSearchParams } from 'react-router'
import { PractitionerCard, PractitionerCardSkeleton } from '#web/features/practitioners/PractitionerCard.tsx'
import { shownCard } from '#web/features/practitioners/shown-card.ts'
import { filterPairs, isCanonical, parseFilters, resultsPath } from '#web/features/search/filters.ts'
import { ResultsPage } from '#web/features/search/ResultsPage.tsx'
import { HeartButton } from '#web/features/shortlist/HeartButton.tsx'
import { serverNow } from '#web/lib/clock.ts'
import { profilePath } from '#web/features/practitioners/profile-path.ts'
import { breadcrumbData, originOf, pageMeta } from '#web/lib/page-meta.ts'
import { pageErrorOf } from '#web/lib/page-error.ts'
import type { PlainHandle } from '#web/lib/plain-page.ts'
import { serverApi } from '#web/lib/server-api.ts'
import { readPageContext } from '#web/lib/server-context.ts'
import { pageTitle } from '#web/lib/site.ts'
import { dayIn, zoneNote } from '#web/lib/time.ts'
import { pageZone, useViewerZone } from '#web/lib/viewer-zone.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import type { Route } from './+types/found-therapists.ts'

export const handle: PlainHandle = { isPlain: true, comesAlive: true }

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const origin = originOf(matches)
  return pageMeta({
    title: pageTitle('List of Therapist or Psychiatrist'),
    description:
      'Vetted therapists and psychiatrists in the UK, with prices, reviews and the next free time of each.',
    data: [
      {
        '@type': 'ItemList',
        numberOfItems: loaderData?.list.meta.total ?? 0,
        itemListElement: (loaderData?.list.data ?? []).map((practitioner, at) => ({
          '@type': 'ListItem',
          position: at + 1,
          name: practitioner.full_name,
          url: origin + profilePath(practitioner.practitioner_id),
        })),
      },
      breadcrumbData(origin, [
        { name: 'Home', path: '/' },
        { name: 'Find a Therapist or Psychiatrist', path: '/found-therapists' },
      ]),
    ],
  })
}

/** Reads the results. Redirects an address from a form or an old link to the canonical address of its search first. */
export async function loader({ context, request, url: { searchParams } }: Route.LoaderArgs) {
  const filters = parseFilters(searchParams)
  if (!isCanonical(searchParams, filters)) throw redirect(resultsPath(filters))
  const list = await serverApi(context)('GET /practitioner/get-practitioners', {
    query: Object.fromEntries(filterPairs(filters)),
    signal: request.signal,
  }).catch((error: unknown) => {
    throw pageErrorOf(error)
  })
  const lastPage = Math.ceil(list.meta.total / list.meta.per_page)
  if (lastPage > 0 && filters.page > lastPage) throw redirect(resultsPath({ ...filters, page: lastPage }))
  if (list.meta.fresh_until) readPageContext(context).keepUntil(list.meta.fresh_until)
  return { list: { ...list, data: list.data.map(shownCard) }, now: serverNow() }
}

export default function FoundTherapists({ loaderData: { list, now }, matches }: Route.ComponentProps) {
  const [query] = useSearchParams()
  const filters = parseFilters(query)
  const zone = useViewerZone()
  const navigation = useNavigation()
  const note = zoneNote(now, zone, pageZone)
  return (
    <>
      <div className="page">
        <PageHeading title="List of Therapist or Psychiatrist" />
      </div>
      <ResultsPage
        filters={filters}
        options={matches[1].loaderData}
        meta={list.meta}
        today={dayIn(now, pageZone)}
        isPending={navigation.location?.pathname === '/found-therapists'}
        zoneNote={note && `Times are in ${note}.`}
        skeleton={<PractitionerCardSkeleton />}
      >
        <ul className="@container flex flex-col gap-4">
          {list.data.map((practitioner, at) => (
            <li key={practitioner.practitioner_id}>
              <PractitionerCard
                practitioner={practitioner}
                sessionType={filters.session_type}
                zone={zone}
                now={now}
                isLazy={at > 2}
                corner={
                  <HeartButton practitionerId={practitioner.practitioner_id} name={practitioner.full_name} />
                }
              />
            </li>
          ))}
        </ul>
      </ResultsPage>
    </>
  )
}
