import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { SeriesProposalPreview } from '#contract/series/therapist-series.ts'
import { ApiError, BrowserError, messageOf } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { useForm } from '#web/lib/form.ts'
import { formatPounds } from '#web/lib/money.ts'
import { dayIn, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Form } from '#web/ui/Form.tsx'
import { ChoosingTime } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { Section } from '#web/ui/Section.tsx'
import { DateRow } from '../DateRow.tsx'
import { firstDayOn, weekdayOf } from '../first-day.ts'
import { HourFields, valuesOf } from '../HourFields.tsx'
import { dateLabel, everyWeeksOf, ownConflictLabels } from '../series-labels.ts'
import {
  everything,
  hourOfSessionQuery,
  proposalBody,
  proposalPreviewQuery,
  type ProposedHour,
} from '../series-queries.ts'

type Props = { appointmentId: string }

/** Offers a client a regular hour, inside or outside the schedule that others book from. */
export function ProposeSeries({ appointmentId }: Props) {
  const query = useQuery({ ...hourOfSessionQuery(appointmentId), enabled: appointmentId !== '' })
  const { data, error } = query
  if (data) return <Propose appointmentId={appointmentId} usual={data} />
  if (!error && appointmentId !== '') return <ProposeLoading />
  if (appointmentId !== '' && !(error instanceof ApiError && [404, 409, 422].includes(error.status))) {
    return <QueryError title="The session did not load" query={query} />
  }
  return (
    <EmptyState
      title="This hour cannot be offered"
      illustration={<ChoosingTime className="w-40" />}
      actions={<ButtonLink to="/therapist/sessions">Your sessions</ButtonLink>}
    >
      <p>
        {error instanceof ApiError && error.status !== 404
          ? messageOf(error)
          : 'Open one of your sessions and choose “Offer this hour every week”.'}
      </p>
    </EmptyState>
  )
}

function Propose({ appointmentId, usual }: Props & { usual: SeriesProposalPreview }) {
  const { rhythm, fee, service_name, client_name: client } = usual
  const navigate = useLateNavigate()
  const zone = viewerZone()
  const today = dayIn(serverNow(), rhythm.timezone)
  const form = useForm({ defaultValues: valuesOf(rhythm, usual.first_on) })
  const [weekday, start, every, firstOn] = useWatch({
    control: form.control,
    name: ['weekday', 'start', 'every', 'from'],
  })
  const hour: ProposedHour = {
    appointmentId,
    weekday: Number(weekday),
    start,
    everyWeeks: everyWeeksOf(every),
    firstOn,
  }
  /** The day that was last chosen by itself. The first day follows it when another day of the week is chosen. */
  const [chosenFrom, setChosenFrom] = useState(usual.first_on)
  const followWeekday = () => {
    const from = chosenFrom >= today ? chosenFrom : today
    form.setValue('from', firstDayOn(Number(form.getValues('weekday')), from))
    form.clearErrors('from')
  }
  const followFrom = () => {
    const from = form.getValues('from')
    if (from === '') return
    setChosenFrom(from)
    form.setValue('weekday', String(weekdayOf(from)))
  }
  const hasPassed = firstOn !== '' && firstOn < today
  const isWhole = start !== '' && firstOn !== '' && !hasPassed
  const preview = useQuery({
    ...proposalPreviewQuery(hour),
    enabled: isWhole,
    placeholderData: keepPreviousData,
  })
  const propose = useAction('POST /therapist/series', {
    invalidates: everything,
    onDone: ({ data }) =>
      navigate('/therapist/series', { replace: true, state: { proposed: data.series_id } }),
  })
  const dates = preview.data?.dates ?? []
  const conflicts = dates.filter(({ conflict }) => conflict !== null)
  const [first] = dates
  // Dates that have begun are not shown.
  const isFirstTaken =
    first !== undefined && !preview.isPlaceholderData && (first.conflict !== null || first.on_date > firstOn)
  const send = async () => {
    // The server alone knows whether an offer whose answer was lost has taken it.
    try {
      await propose.send({ body: proposalBody(hour) })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'series_conflict') throw new BrowserError(firstIsTaken)
      throw error
    }
  }
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <Card as="section">
        <Form
          form={form}
          failureTitle="Your offer was not sent"
          wireNames={{ every_weeks: 'every', first_on: 'from' }}
          onSubmit={send}
        >
          {client && <p className="text-lg font-semibold">{`For ${client}`}</p>}
          <p>{`${service_name}, ${formatPounds(fee)} each session. The hour may lie outside the schedule that others book from; time off always comes first.`}</p>
          <HourFields
            form={form}
            timezone={rhythm.timezone}
            today={today}
            onWeekday={followWeekday}
            onFrom={followFrom}
          />
          <div className="flex flex-col gap-2">
            <SubmitButton pendingLabel="Sending your offer">Send the offer</SubmitButton>
            <p className="text-sm text-soft">
              Your client has 7 days to agree. Only the first date is kept free until then.
            </p>
          </div>
        </Form>
      </Card>
      <Section title="The first dates" isCard>
        <div aria-live="polite" aria-busy={preview.isFetching}>
          {!isWhole ? (
            <p className="mt-3 text-sm text-soft">
              {hasPassed
                ? 'This day has passed. Choose today or later to see the dates.'
                : 'Choose a day and a time to see the dates.'}
            </p>
          ) : preview.data ? (
            <>
              {(isFirstTaken || conflicts.length > 0) && (
                <Alert tone="warning" className="mt-3">
                  {isFirstTaken
                    ? firstIsTaken
                    : `${conflicts.length === 1 ? 'One date is' : `${conflicts.length} dates are`} not free. Your client chooses another time for it or skips it.`}
                </Alert>
              )}
              <ol className="flex flex-col divide-y divide-line">
                {dates.map((date) => (
                  <DateRow
                    key={date.on_date}
                    date={date}
                    label={
                      date.conflict
                        ? `${ownConflictLabels[date.conflict.cause]}.`
                        : date.state === 'later'
                          ? dateLabel(date, zone, { you: 'practitioner' })
                          : 'Free'
                    }
                    other={{ whose: 'On your schedule', zone: rhythm.timezone }}
                  />
                ))}
              </ol>
            </>
          ) : preview.error instanceof ApiError && preview.error.status === 422 ? (
            <Alert tone="warning" className="mt-3">
              {messageOf(preview.error)}
            </Alert>
          ) : preview.error ? (
            <QueryErrorAlert title="The dates did not load" query={preview} />
          ) : (
            <Loading label="Loading the dates" className="mt-3" skeleton="h-48" />
          )}
        </div>
      </Section>
    </div>
  )
}

/** The client agrees to a first date that is kept free for them. */
const firstIsTaken = 'The first date must be free. Choose a later day to begin on, or another hour.'

export function ProposeLoading() {
  return (
    <Loading label="Loading the hour" className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <Skeleton className="h-72 rounded-xl" />
      <Skeleton className="h-72 rounded-xl" />
    </Loading>
  )
}
