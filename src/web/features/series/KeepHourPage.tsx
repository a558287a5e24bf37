import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EveryWeeks, Series, SeriesPreview } from '#contract/series/series.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { seriesPath } from '#web/lib/series-paths.ts'
import { isDefinite, useAction } from '#web/lib/use-action.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import type { CardsToPay } from '#web/ui/CardToPay.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ChoosingTime } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { showIfChangedElsewhere } from '#web/ui/Toast.tsx'
import { AgreeForm, AgreeLayout, AgreeProblem, OfferFacts } from './AgreeForm.tsx'
import { useLeadOn } from './agreed-place.ts'
import { PlannedDates } from './PlannedDates.tsx'
import { everyWeeksOf, everyWeeksOptions, hourLabel } from './series-labels.ts'
import { everything, ownSeriesQuery, previewQuery } from './series-queries.ts'
import { SeriesTerms } from './SeriesTerms.tsx'
import { isSameOffer } from './shown-offer.ts'
import { useAgree } from './use-agree.ts'

type Props = {
  appointmentId: string
  everyWeeks: EveryWeeks
  onEveryWeeks(weeks: EveryWeeks): void
  cards: CardsToPay
}

const title = 'Keep the same hour'

/** A series that goes on from a session of the client's: its dates, its terms, and agreeing to it. */
export function KeepHourPage({ appointmentId, everyWeeks, onEveryWeeks, cards }: Props) {
  const client = useQueryClient()
  const navigate = useLateNavigate()
  const query = useQuery({ ...previewQuery(appointmentId, everyWeeks), placeholderData: keepPreviousData })
  const { data, error } = query
  const create = useAction('POST /series', { invalidates: [ownSeriesQuery().queryKey] })
  const agreeing = useAgree({
    onAgreed: useLeadOn(),
    onRefused(refusal) {
      // It may have been answered or ended meanwhile: the next press asks the server again. After a lost answer it goes on.
      if (isDefinite(refusal)) setMade({})
      void Promise.all(everything.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
  /** Made by a press that did not end in an agreement, by its rhythm. */
  const [made, setMade] = useState<Readonly<Record<number, Series>>>({})

  /**
   * There may be a series at this hour that differs from the one shown, or that is answered already: its own page goes on.
   * @throws ApiError then
   */
  async function make(shown: SeriesPreview): Promise<Series> {
    const known = made[everyWeeks]
    const series =
      known ?? (await create.send({ body: { appointment_id: appointmentId, every_weeks: everyWeeks } })).data
    if (!isSameOffer(series, shown) || (shown.needs_acceptance && series.waits_for !== 'practitioner')) {
      const error = new ApiError(409, {
        code: 'changed_elsewhere',
        message: 'This hour is offered or kept already, as you see here. Nothing new was agreed.',
      })
      showIfChangedElsewhere(error)
      void navigate(seriesPath(series.series_id), { replace: true })
      throw error
    }
    setMade((before) => ({ ...before, [everyWeeks]: series }))
    return series
  }

  if (!data) {
    return (
      <>
        <PageHeading title={title} />
        {error ? <NotKept error={error} query={query} /> : <AgreeLoading />}
      </>
    )
  }
  const asked = made[everyWeeks]
  const rhythm = (
    <RadioGroup
      label="How often"
      name="every_weeks"
      value={String(everyWeeks)}
      onChange={(value) => onEveryWeeks(everyWeeksOf(value))}
      options={everyWeeksOptions}
    />
  )
  return (
    <div aria-busy={query.isFetching}>
      <PageHeading title={`Keep ${hourLabel(data)}?`} lead={`With ${data.practitioner.full_name}.`} />
      {data.needs_acceptance ? (
        asked?.waits_for === 'practitioner' ? (
          <Asked series={asked} />
        ) : (
          <AgreeLayout
            isBusy={create.isPending}
            side={
              <>
                <OfferFacts offer={data} />
                <SeriesTerms terms={data.terms} />
                {create.error !== undefined && <AgreeProblem error={create.error} />}
                <Button
                  fullWidth
                  isPending={create.isPending}
                  isDisabled={query.isPlaceholderData}
                  pendingLabel="Asking"
                  onPress={() => void make(data).catch(() => undefined)}
                >
                  {`Ask ${data.practitioner.first_name}`}
                </Button>
                <p className="text-center text-sm text-soft">
                  {`${data.practitioner.first_name} replies within 7 days. You then agree with a card. Nothing is charged or reserved now.`}
                </p>
              </>
            }
          >
            {rhythm}
            <h2 className="text-2xl">Your first dates</h2>
            <PlannedDates dates={data.dates} theirZone={data.practitioner.timezone} />
          </AgreeLayout>
        )
      ) : (
        <AgreeForm
          // The choices belong to the dates of one rhythm.
          key={everyWeeks}
          offer={data}
          above={rhythm}
          cards={cards}
          seriesId={async () => (await make(data)).series_id}
          agreeing={agreeing}
          isWaiting={query.isPlaceholderData}
        />
      )}
    </div>
  )
}

function Asked({ series }: { series: Series }) {
  const { first_name } = series.practitioner
  return (
    <div className="max-w-3xl">
      <Alert
        tone="success"
        live="polite"
        title={`We have asked ${first_name}`}
        actions={
          <ButtonLink to="/my-sessions" size="small" variant="secondary">
            My Sessions
          </ButtonLink>
        }
      >
        {`You hear from us when ${first_name} has replied. You then see the dates again and agree with a card. Nothing is charged or reserved until then.`}
      </Alert>
    </div>
  )
}

function NotKept({ error, query }: { error: unknown; query: Parameters<typeof QueryError>[0]['query'] }) {
  const isRefused = error instanceof ApiError && [404, 409].includes(error.status)
  if (!isRefused) return <QueryError title="The dates did not load" query={query} />
  return (
    <EmptyState
      title="This hour cannot be kept"
      illustration={<ChoosingTime className="w-44" />}
      actions={<ButtonLink to="/my-sessions">My Sessions</ButtonLink>}
    >
      <p>{error.message}</p>
    </EmptyState>
  )
}

export function AgreeLoading() {
  return (
    <Loading label="Loading the dates" className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <Skeleton className="h-96 rounded-xl" />
      <Skeleton className="h-72 rounded-xl" />
    </Loading>
  )
}
