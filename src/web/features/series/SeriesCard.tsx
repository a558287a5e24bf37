import { type ReactNode, useId, useState } from 'react'
import type { Series, SeriesDate } from '#contract/series/series.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { formatPounds } from '#web/lib/money.ts'
import { rhythmLabel } from '#web/lib/rhythm-label.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import type { CardsForSeries } from './AgreeForm.tsx'
import { AwayDialog } from './AwayDialog.tsx'
import { ChangeCard } from './ChangeCard.tsx'
import { ChangeRhythm } from './ChangeRhythm.tsx'
import { ChooseTime } from './ChooseTime.tsx'
import { DateRow } from './DateRow.tsx'
import { EndSeries } from './EndSeries.tsx'
import { SeriesAlerts } from './SeriesAlerts.tsx'
import { dateLabel } from './series-labels.ts'
import { payPath } from '#web/lib/series-paths.ts'
import { everything } from './series-queries.ts'
import type { Said } from './said.ts'
import { SkipDate } from './SkipDate.tsx'

/** What other features put into the card of a series. */
export type SeriesParts = {
  cards: CardsForSeries
  /** The side modal in which one session is moved. */
  renderMove(appointmentId: string, onClose: () => void): ReactNode
}

type Props = SeriesParts & { series: Series; onSaid(said: Said): void }

/** What is open over the card. */
type Opened =
  | { act: 'away' | 'change' | 'card' | 'end' }
  | { act: 'skip' | 'move' | 'choose'; date: SeriesDate }

/** Dates that are shown before the rest is asked for. */
const shownFirst = 4

/** One series of a client: its rhythm, its next dates, and what may be done to them. */
export function SeriesCard({ series, onSaid, cards, renderMove }: Props) {
  const headingId = useId()
  const zone = viewerZone()
  const [opened, setOpened] = useState<Opened>()
  const [isWhole, setWhole] = useState(false)
  const { practitioner, rhythm, dates, can } = series
  const shown = isWhole ? dates : dates.slice(0, shownFirst)
  const close = () => setOpened(undefined)
  const props = { series, onClose: close, onSaid }
  return (
    <Card as="li" aria-labelledby={headingId} className="flex flex-col gap-5">
      <div className="flex items-center gap-4">
        <Portrait
          name={practitioner.full_name}
          image={practitioner.main_image}
          size={72}
          shape="arch"
          isDecorative
        />
        <div className="min-w-0 grow">
          <h3 id={headingId} className="text-xl">
            {rhythmLabel(rhythm, zone, dates[0]?.starts_at ?? 0)}
          </h3>
          <p className="text-soft">{`With ${practitioner.full_name}, ${formatPounds(series.fee)} each session`}</p>
        </div>
      </div>
      <SeriesAlerts series={series} onSaid={onSaid} onChangeCard={() => setOpened({ act: 'card' })} />
      {series.state !== 'proposed' && (
        <ol aria-label="Next dates" className="flex flex-col divide-y divide-line border-y border-line">
          {shown.map((date) => (
            <DateRow
              key={date.on_date}
              date={date}
              label={dateLabel(date, zone, series)}
              other={{ whose: 'Practitioner’s time', zone: practitioner.timezone }}
            >
              <DateActions series={series} date={date} onOpen={setOpened} />
            </DateRow>
          ))}
        </ol>
      )}
      {series.state !== 'proposed' && dates.length > shownFirst && (
        <div className="-mt-3">
          <Button variant="quiet" size="small" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
            {isWhole ? 'Show fewer dates' : `Show all ${dates.length} dates`}
          </Button>
        </div>
      )}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {can.away && (
          <Button variant="secondary" onPress={() => setOpened({ act: 'away' })}>
            I’ll be away
          </Button>
        )}
        {can.change && (
          <Button variant="secondary" onPress={() => setOpened({ act: 'change' })}>
            Change the hour
          </Button>
        )}
        {can.change_card && (
          <Button variant="secondary" onPress={() => setOpened({ act: 'card' })}>
            Change card
          </Button>
        )}
        {can.end && series.state !== 'proposed' && (
          <Button variant="quiet" onPress={() => setOpened({ act: 'end' })}>
            End it
          </Button>
        )}
      </div>
      {opened?.act === 'skip' && <SkipDate {...props} date={opened.date} />}
      {opened?.act === 'choose' && <ChooseTime {...props} date={opened.date} />}
      {opened?.act === 'move' &&
        opened.date.appointment_id !== null &&
        renderMove(opened.date.appointment_id, close)}
      {opened?.act === 'away' && <AwayDialog {...props} />}
      {opened?.act === 'change' && <ChangeRhythm {...props} />}
      {opened?.act === 'card' && <ChangeCard {...props} cards={cards} />}
      {opened?.act === 'end' && <EndSeries {...props} />}
    </Card>
  )
}

function DateActions({
  series,
  date,
  onOpen,
}: {
  series: Series
  date: SeriesDate
  onOpen(opened: Opened): void
}) {
  const named = formatDayAndTime(date.starts_at, viewerZone())
  const restore = useAction('POST /series/{series_id}/dates/{on_date}/restore', {
    invalidates: everything,
    onDone: () => showToast(`${named} is yours again.`),
  })
  const { can } = date
  return (
    <>
      {can.pay && date.appointment_id !== null && (
        <ButtonLink to={payPath(date.appointment_id)} size="small" aria-label={`Pay for ${named}`}>
          Pay
        </ButtonLink>
      )}
      {can.skip && (
        <Button
          variant="secondary"
          size="small"
          aria-label={`Skip ${named}`}
          onPress={() => onOpen({ act: 'skip', date })}
        >
          Skip
        </Button>
      )}
      {can.move && date.appointment_id !== null && (
        <Button
          variant="secondary"
          size="small"
          aria-label={`Move ${named}`}
          onPress={() => onOpen({ act: 'move', date })}
        >
          Move
        </Button>
      )}
      {can.choose_time && (
        <Button
          variant="secondary"
          size="small"
          aria-label={`Choose a time in place of ${named}`}
          onPress={() => onOpen({ act: 'choose', date })}
        >
          Choose a time
        </Button>
      )}
      {can.restore && (
        <Button
          variant="secondary"
          size="small"
          isPending={restore.isPending}
          pendingLabel="Reserving it again"
          aria-label={`Take it up again: ${named}`}
          onPress={() => restore.start({ params: { series_id: series.series_id, on_date: date.on_date } })}
        >
          Take it up again
        </Button>
      )}
      {restore.error !== undefined && (
        <Alert tone="warning" live="assertive" className="w-full">
          {messageOf(restore.error)}
        </Alert>
      )}
    </>
  )
}
