import { useSearchParams } from 'react-router'
import { useCardParts } from '#web/features/payments/use-card-parts.tsx'
import { AgreeLoading, KeepHourPage } from '#web/features/series/KeepHourPage.tsx'
import { OneSeries } from '#web/features/series/OneSeries.tsx'
import { everyWeeksOf } from '#web/features/series/series-labels.ts'
import { pageTitle } from '#web/lib/site.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ChoosingTime } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Your regular sessions') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page">
      <PageHeading title="Your regular sessions" />
      <AgreeLoading />
    </div>
  )
}

/** `?appointment&every`: the hour of that session is kept from now on. `?series`: one series, such as a proposal. */
export default function SeriesRoute() {
  const [search, setSearch] = useSearchParams()
  const cards = useCardParts()
  const seriesId = search.get('series')
  const appointmentId = search.get('appointment')
  return (
    <div className="page pb-16">
      {seriesId ? (
        <OneSeries key={seriesId} seriesId={seriesId} cards={cards} />
      ) : appointmentId ? (
        <KeepHourPage
          key={appointmentId}
          appointmentId={appointmentId}
          everyWeeks={everyWeeksOf(search.get('every') ?? '')}
          onEveryWeeks={(weeks) =>
            setSearch(
              { appointment: appointmentId, every: String(weeks) },
              { replace: true, preventScrollReset: true },
            )
          }
          cards={cards}
        />
      ) : (
        <>
          <PageHeading title="Your regular sessions" />
          <EmptyState
            title="Which hour would you like to keep?"
            illustration={<ChoosingTime className="w-44" />}
            actions={<ButtonLink to="/my-sessions">My Sessions</ButtonLink>}
          >
            <p>Open a session in My Sessions and choose “Keep this hour”.</p>
          </EmptyState>
        </>
      )}
    </div>
  )
}
