import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import type { Series } from '#contract/series/series.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import type { CardsToPay } from '#web/ui/CardToPay.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { ChoosingTime } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { showIfChangedElsewhere } from '#web/ui/Toast.tsx'
import { AgreeForm } from './AgreeForm.tsx'
import { agreedPlace, useLeadOn } from './agreed-place.ts'
import { AgreeLoading } from './KeepHourPage.tsx'
import { endedLabel, hourLabel } from './series-labels.ts'
import { everything, seriesQuery } from './series-queries.ts'
import { useAgree } from './use-agree.ts'
import { useLiveSeries } from './use-live-series.ts'

type Props = {
  seriesId: string
  cards: CardsToPay
}

/** One series, as a link in a mail shows it: a proposal to answer, else its present state. */
export function OneSeries({ seriesId, cards }: Props) {
  useLiveSeries()
  const client = useQueryClient()
  const own = seriesQuery(seriesId)
  const agreeing = useAgree({
    onAgreed: useLeadOn(),
    onRefused: () => void client.invalidateQueries({ queryKey: own.queryKey }),
  })
  // It is agreed already while the bank asks about its first session.
  const query = useQuery({ ...own, enabled: agreeing.step === 'idle' })
  const { error } = query
  const series = query.data?.data

  if (!series) {
    if (error instanceof ApiError && error.status === 404) return <Unknown />
    return (
      <>
        <PageHeading title="Your regular sessions" />
        {error ? <QueryError title="Your dates did not load" query={query} /> : <AgreeLoading />}
      </>
    )
  }
  const { practitioner, terms, can } = series
  if (series.state === 'active' || series.state === 'paused') {
    return <Navigate {...agreedPlace(series)} replace />
  }
  return (
    <>
      <PageHeading
        title={series.state === 'proposed' ? `Keep ${hourLabel(series)}?` : hourLabel(series)}
        lead={
          can.agree && series.proposed_by === 'practitioner'
            ? `${practitioner.full_name} offers you this hour${series.proposed_until ? ` until ${formatDayAndTime(series.proposed_until, viewerZone())}` : ''}.`
            : `With ${practitioner.full_name}.`
        }
      />
      {can.agree && terms ? (
        <AgreeForm
          offer={{ ...series, terms }}
          cards={cards}
          seriesId={() => Promise.resolve(series.series_id)}
          agreeing={agreeing}
          below={<Decline series={series} />}
        />
      ) : series.state === 'ended' ? (
        <EmptyState
          title={`${endedLabel(series)}.`}
          illustration={<ChoosingTime className="w-44" />}
          actions={<ButtonLink to="/my-sessions">My Sessions</ButtonLink>}
        >
          <p>Nothing more is charged for it. What you have paid for is in My Sessions.</p>
          {series.ended?.reason && <p className="mt-3 whitespace-pre-line">{series.ended.reason}</p>}
        </EmptyState>
      ) : (
        <div className="flex max-w-3xl flex-col gap-5">
          <Alert title={`Waiting for ${practitioner.first_name}`}>
            {`You hear from us when ${practitioner.first_name} has replied. You then see the dates and agree with a card. Nothing is charged or reserved until then.`}
          </Alert>
          <div>
            <ButtonLink to="/my-sessions" variant="secondary">
              My Sessions
            </ButtonLink>
          </div>
        </div>
      )}
    </>
  )
}

/** The other answer to a proposal. */
function Decline({ series }: { series: Series }) {
  const end = useAction('POST /series/{series_id}/end', {
    invalidates: everything,
    onRefused: showIfChangedElsewhere,
  })
  return (
    <div className="flex flex-col gap-3">
      <Button
        variant="quiet"
        fullWidth
        isPending={end.isPending}
        onPress={() => end.start({ params: { series_id: series.series_id }, body: { proposal_only: true } })}
      >
        {series.proposed_by === 'client' ? 'Not now' : 'No, thank you'}
      </Button>
      <ErrorAlert title="That did not work" error={end.error} />
    </div>
  )
}

function Unknown() {
  return (
    <>
      <PageHeading title="Your regular sessions" />
      <EmptyState
        title="We cannot find these sessions"
        illustration={<ChoosingTime className="w-44" />}
        actions={<ButtonLink to="/my-sessions">My Sessions</ButtonLink>}
      >
        <p>The address may be mistyped, or they are not yours. Everything you have is in My Sessions.</p>
      </EmptyState>
    </>
  )
}
