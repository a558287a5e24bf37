import type { Series } from '#contract/series/series.ts'
import { formatPounds } from '#web/lib/money.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import type { SuccessWords } from '#web/ui/LiveRegion.tsx'
import { showIfChangedElsewhere } from '#web/ui/Toast.tsx'
import { NewZone } from './NewZone.tsx'
import { dayLabel, endsLabel, hourLabel } from './series-labels.ts'
import { payPath, seriesPath } from '#web/lib/series-paths.ts'
import { everything } from './series-queries.ts'

type Props = {
  series: Series
  /** The id of its heading. */
  headingId: string
  onSaid(said: SuccessWords): void
  onChangeCard(): void
}

/** What waits for the client in a series: an answer, a payment, another card. */
export function SeriesAlerts({ series, headingId, onSaid, onChangeCard }: Props) {
  const own = { series, headingId, onSaid }
  const { paused, card, price_change: price, state, can } = series
  const ends = endsLabel(series, viewerZone())
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {state === 'proposed' && <Proposal {...own} />}
      {paused && <Paused {...own} />}
      {price && price.answer === null && can.answer_price && <NewPrice {...own} />}
      {price?.answer === 'accepted' && (
        <Alert>{`${formatPounds(price.fee)} each session from ${dayLabel(price.from_date)}.`}</Alert>
      )}
      {price?.answer === 'declined' && (
        <Alert>{`It ends before ${dayLabel(price.from_date)}, as you chose when the price changed.`}</Alert>
      )}
      {can.change_card && (card === null || card.expires_soon) && (
        <Alert
          tone="warning"
          title={card === null ? 'No card pays for this hour' : 'Your card expires soon'}
          actions={
            <Button size="small" variant="secondary" onPress={onChangeCard} aria-describedby={headingId}>
              Choose a card
            </Button>
          }
        >
          {card === null
            ? 'The card you agreed with can no longer be charged. Sessions that are not paid a day before are cancelled.'
            : 'It will not work for your next payment.'}
        </Alert>
      )}
      {series.new_zone && <NewZone series={series} zone={series.new_zone} />}
      {ends && (state === 'active' || state === 'paused') && <Alert>{ends}</Alert>}
    </div>
  )
}

type AlertProps = Omit<Props, 'onChangeCard'>

function Proposal({ series, headingId, onSaid }: AlertProps) {
  const { practitioner, proposed_until, waits_for, proposed_by } = series
  const end = useAction('POST /series/{series_id}/end', {
    invalidates: everything,
    onDone: () =>
      onSaid({
        title: proposed_by === 'client' ? 'Your request is withdrawn' : 'You have declined',
        text: 'Nothing was reserved or charged.',
      }),
    onRefused: showIfChangedElsewhere,
  })
  const until = proposed_until && ` until ${formatDayAndTime(proposed_until, viewerZone())}`
  const isForClient = waits_for === 'client'
  return (
    <>
      <Alert
        tone={isForClient && proposed_by === 'client' ? 'warning' : 'info'}
        title={
          isForClient
            ? proposed_by === 'practitioner'
              ? `${practitioner.first_name} offers you ${hourLabel(series)}`
              : 'Not agreed yet'
            : `Waiting for ${practitioner.first_name}`
        }
        actions={
          <>
            {isForClient && (
              <ButtonLink to={seriesPath(series.series_id)} size="small">
                See the dates
              </ButtonLink>
            )}
            {series.can.end || series.can.decline ? (
              <Button
                size="small"
                variant="secondary"
                isPending={end.isPending}
                aria-describedby={headingId}
                onPress={() =>
                  end.start({ params: { series_id: series.series_id }, body: { proposal_only: true } })
                }
              >
                {proposed_by === 'client' ? 'Withdraw' : 'No, thank you'}
              </Button>
            ) : null}
          </>
        }
      >
        {isForClient
          ? `You can agree${until ?? ''}. Nothing is charged before that.`
          : `${practitioner.first_name} can reply${until ?? ''}. You then see the dates and agree with a card.`}
      </Alert>
      <ErrorAlert title="Your answer is not saved" error={end.error} />
    </>
  )
}

function Paused({ series, headingId, onSaid }: AlertProps) {
  const { paused, practitioner } = series
  const resume = useAction('POST /series/{series_id}/resume', {
    invalidates: everything,
    onDone: () =>
      onSaid({ title: 'Your hour goes on', text: 'Your next dates are below, with when they are paid.' }),
  })
  if (!paused) return null
  const until = paused.until && formatDayAndTime(paused.until, viewerZone())
  if (paused.cause === 'unpaid') {
    const next = series.dates.find(({ appointment_id }) => appointment_id === paused.pay_appointment_id)
    return (
      <Alert
        tone="warning"
        title="Paused: two sessions were not paid"
        actions={
          paused.pay_appointment_id !== null &&
          next?.can.pay !== false && (
            <ButtonLink to={payPath(paused.pay_appointment_id)} size="small">
              Pay for the next session
            </ButtonLink>
          )
        }
      >
        {`We do not charge your card meanwhile. Pay for the next session${next && !next.can.pay ? ` from ${formatDayAndTime(next.pay_at, viewerZone())} on` : ''}, and everything goes on as before.${until ? ` Your dates are kept until ${until}.` : ''}`}
      </Alert>
    )
  }
  return (
    <>
      <Alert
        tone="warning"
        title={series.can.resume ? `${practitioner.first_name} is back` : 'Paused for now'}
        actions={
          series.can.resume && (
            <Button
              size="small"
              isPending={resume.isPending}
              aria-describedby={headingId}
              onPress={() => resume.start({ params: { series_id: series.series_id } })}
            >
              Go on
            </Button>
          )
        }
      >
        {series.can.resume
          ? `Would you like to go on?${until ? ` Otherwise it ends on ${until}. Until then,` : ' Meanwhile,'} your reserved sessions take place, and are paid as each one says.`
          : 'We are checking something, and nothing is charged meanwhile. You hear from us as soon as we know more.'}
      </Alert>
      <ErrorAlert title="Your hour does not go on yet" error={resume.error} />
    </>
  )
}

function NewPrice({ series, headingId, onSaid }: AlertProps) {
  const price = series.price_change
  const answer = useAction('POST /series/{series_id}/price', {
    invalidates: everything,
    onDone: (_answer, { body }) =>
      onSaid(
        body.accept
          ? { title: 'You have agreed to the new price', text: 'Your dates stay as they are.' }
          : { title: 'You have declined the new price', text: 'Your dates before it stay at the old price.' },
      ),
    onRefused: showIfChangedElsewhere,
  })
  if (!price) return null
  const params = { series_id: series.series_id }
  const from = dayLabel(price.from_date)
  const shown = { fee: price.fee, from_date: price.from_date }
  return (
    <>
      <Alert
        tone="warning"
        title={`A new price: ${formatPounds(price.fee)} from ${from}`}
        actions={
          <>
            <Button
              size="small"
              isPending={answer.isPending && answer.input?.[0].body.accept}
              aria-describedby={headingId}
              onPress={() => answer.start({ params, body: { accept: true, shown } })}
            >
              {`Agree to ${formatPounds(price.fee)}`}
            </Button>
            <Button
              size="small"
              variant="secondary"
              isPending={answer.isPending && !answer.input?.[0].body.accept}
              aria-describedby={headingId}
              onPress={() => answer.start({ params, body: { accept: false, shown } })}
            >
              Decline
            </Button>
          </>
        }
      >
        {`${series.practitioner.first_name} asks ${formatPounds(price.fee)} instead of ${formatPounds(series.fee)}. Please reply by ${formatDayAndTime(price.answer_by, viewerZone())}. If you decline or do not reply, your regular sessions end before ${from}; those until then keep the old price.`}
      </Alert>
      <ErrorAlert title="Your answer is not saved" error={answer.error} />
    </>
  )
}
