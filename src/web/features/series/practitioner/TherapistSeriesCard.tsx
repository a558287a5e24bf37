import { useId, useState } from 'react'
import type { Series, SeriesDate } from '#contract/series/series.ts'
import { formatPounds } from '#web/lib/money.ts'
import { rhythmLabel } from '#web/lib/rhythm-label.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { showIfChangedElsewhere, showToast } from '#web/ui/Toast.tsx'
import type { SuccessWords } from '#web/ui/LiveRegion.tsx'
import { focusDate, NextDates } from '../DateRow.tsx'
import { NewZone } from '../NewZone.tsx'
import { dayLabel, endsLabel, hourLabel } from '../series-labels.ts'
import { everything } from '../series-queries.ts'
import { DeclineSeries } from './DeclineSeries.tsx'
import { EndWithCare } from './EndWithCare.tsx'
import { NewPriceDialog } from './NewPriceDialog.tsx'

type Props = { series: Series; onSaid(said: SuccessWords): void }

/** One series of a practitioner: whose hour it is, its next dates, and what may be done. */
export function TherapistSeriesCard({ series, onSaid }: Props) {
  const headingId = useId()
  const zone = viewerZone()
  const [opened, setOpened] = useState<'price' | 'end' | 'decline'>()
  const { rhythm, dates, can, client_name: client } = series
  const accept = useAction('POST /therapist/series/{series_id}/accept', {
    invalidates: everything,
    onDone: () =>
      onSaid({
        title: `You have accepted ${hourLabel(series)}`,
        text: `${client} now sees the dates and agrees with a card. Nothing is reserved until then.`,
      }),
  })
  const close = () => setOpened(undefined)
  const props = { series, onClose: close, onSaid }
  return (
    <Card as="li" aria-labelledby={headingId} className="flex flex-col gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h3 id={headingId} className="text-xl">
            {client}
          </h3>
          <p>{rhythmLabel(rhythm, zone, dates[0]?.starts_at ?? 0)}</p>
          <p className="text-sm text-soft">
            {`${series.service_name}, ${series.appointment_type === 'online' ? 'online' : (series.location?.location_name ?? 'face-to-face')}`}
          </p>
        </div>
        <p className="font-semibold tabular-nums sm:text-right">
          {formatPounds(series.fee)}
          <span className="block text-sm font-normal text-soft">each session</span>
        </p>
      </div>
      <State series={series} />
      <NextDates
        series={series}
        other={{ whose: 'On your schedule', zone: series.practitioner.timezone }}
        renderActs={(date) => (
          <>
            {date.can.keep && <KeepDate series={series} date={date} />}
            {date.can.allow_late_payment && <LatePayment series={series} date={date} />}
          </>
        )}
      />
      <ErrorAlert title="It is not accepted" error={accept.error} />
      <div className="flex flex-wrap gap-3 empty:hidden">
        {can.accept && (
          <Button
            isPending={accept.isPending}
            pendingLabel="Accepting"
            aria-label={`Accept ${hourLabel(series)} for ${client}`}
            onPress={() => accept.start({ params: { series_id: series.series_id } })}
          >
            Accept
          </Button>
        )}
        {can.decline && (
          <Button
            variant="secondary"
            aria-label={`${declineLabel(series)}: ${client}`}
            onPress={() => setOpened('decline')}
          >
            {declineLabel(series)}
          </Button>
        )}
        {can.propose_price && (
          <Button
            variant="secondary"
            aria-label={`Change the price for ${client}`}
            onPress={() => setOpened('price')}
          >
            Change the price
          </Button>
        )}
        {can.end && series.state !== 'proposed' && (
          <Button
            variant="quiet"
            aria-label={`End it: the hour of ${client}`}
            onPress={() => setOpened('end')}
          >
            End it
          </Button>
        )}
      </div>
      {opened === 'price' && <NewPriceDialog {...props} />}
      {opened === 'end' && <EndWithCare {...props} />}
      {opened === 'decline' && <DeclineSeries {...props} />}
    </Card>
  )
}

const declineLabel = ({ proposed_by }: Series) =>
  proposed_by === 'practitioner' ? 'Withdraw the offer' : 'Decline'

/** Where a series stands, if that needs words. */
function State({ series }: { series: Series }) {
  const { state, waits_for, proposed_until, paused, price_change: price, client_name: client } = series
  const zone = viewerZone()
  const until = proposed_until ? formatDayAndTime(proposed_until, zone) : ''
  const ends = endsLabel(series, zone)
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {state === 'proposed' && waits_for === 'practitioner' && (
        <Alert title={`${client} would like to keep this hour`}>
          {`Please reply by ${until}. They then agree with a card. You are paid for each session as usual.`}
        </Alert>
      )}
      {state === 'proposed' && waits_for === 'client' && (
        <Alert title={`Waiting for ${client}`}>{`They can agree until ${until}.`}</Alert>
      )}
      {paused?.cause === 'unpaid' && (
        <Alert tone="warning" title="Paused: two sessions were not paid">
          {`${client} knows, and can pay for the next one.${paused.until ? ` Otherwise the hour becomes free on ${formatDayAndTime(paused.until, zone)}.` : ''}`}
        </Alert>
      )}
      {paused?.cause === 'suspension' && (
        <Alert tone="warning" title="Paused with your profile">
          {`${client} is asked whether to go on once your profile is open again.`}
        </Alert>
      )}
      {price && price.answer === null && (
        <Alert title={`New price asked: ${formatPounds(price.fee)} from ${dayLabel(price.from_date)}`}>
          {`${client} can reply until ${formatDayAndTime(price.answer_by, zone)}. Without an answer the hour ends there.`}
        </Alert>
      )}
      {price?.answer === 'accepted' && (
        <Alert tone="success">{`${client} has agreed to ${formatPounds(price.fee)} from ${dayLabel(price.from_date)}.`}</Alert>
      )}
      {price?.answer === 'declined' && (
        <Alert tone="warning">{`${client} did not agree to ${formatPounds(price.fee)}. The hour ends before ${dayLabel(price.from_date)}.`}</Alert>
      )}
      {series.new_zone && <NewZone series={series} zone={series.new_zone} />}
      {ends && (state === 'active' || state === 'paused') && <Alert>{ends}</Alert>}
    </div>
  )
}

/** Reserves a date that only the practitioner's other calendar is in the way of. */
function KeepDate({ series, date }: { series: Series; date: SeriesDate }) {
  const named = formatDayAndTime(date.starts_at, viewerZone())
  const keep = useAction('POST /therapist/series/{series_id}/dates/{on_date}/keep', {
    invalidates: everything,
    onDone() {
      showToast(`${named} is reserved. ${series.client_name} gets an email about it.`)
      focusDate(series, date)
    },
    onRefused: showIfChangedElsewhere,
  })
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        isPending={keep.isPending}
        aria-label={`Keep it all the same: ${named}`}
        onPress={() => keep.start({ params: { series_id: series.series_id, on_date: date.on_date } })}
      >
        Keep it all the same
      </Button>
      <ErrorAlert error={keep.error} className="w-full" />
    </>
  )
}

function LatePayment({ series, date }: { series: Series; date: SeriesDate }) {
  const named = formatDayAndTime(date.starts_at, viewerZone())
  const allow = useAction('POST /therapist/sessions/{appointment_id}/allow-late-payment', {
    invalidates: everything,
    onDone() {
      showToast('Your client can pay until the session starts.')
      focusDate(series, date)
    },
  })
  if (date.appointment_id === null) return null
  const params = { appointment_id: date.appointment_id }
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        isPending={allow.isPending}
        aria-label={`Let them pay until it starts: ${named}`}
        onPress={() => allow.start({ params })}
      >
        Let them pay until it starts
      </Button>
      <ErrorAlert error={allow.error} className="w-full" />
    </>
  )
}
