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
import type { CardsToPay } from '#web/ui/CardToPay.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { showIfChangedElsewhere, showToast } from '#web/ui/Toast.tsx'
import type { SuccessWords } from '#web/ui/LiveRegion.tsx'
import { AwayDialog } from './AwayDialog.tsx'
import { ChangeCard } from './ChangeCard.tsx'
import { ChangeRhythm } from './ChangeRhythm.tsx'
import { ChooseTime } from './ChooseTime.tsx'
import { focusDate, NextDates } from './DateRow.tsx'
import { EndSeries } from './EndSeries.tsx'
import { SeriesAlerts } from './SeriesAlerts.tsx'
import { payPath } from '#web/lib/series-paths.ts'
import { everything } from './series-queries.ts'
import { SkipDate } from './SkipDate.tsx'

/** What other features put into the card of a series. */
export type SeriesParts = {
  cards: CardsToPay
  /** The side modal in which one session is moved. */
  renderMove(appointmentId: string, onClose: () => void): ReactNode
}

type Props = SeriesParts & { series: Series; onSaid(said: SuccessWords): void }

/** What is open over the card. */
type Opened =
  | { act: 'away' | 'change' | 'card' | 'end' }
  | { act: 'skip' | 'move' | 'choose'; date: SeriesDate }

/** One series of a client: its rhythm, its next dates, and what may be done to them. */
export function SeriesCard({ series, onSaid, cards, renderMove }: Props) {
  const headingId = useId()
  const zone = viewerZone()
  const [opened, setOpened] = useState<Opened>()
  const { practitioner, rhythm, dates, can } = series
  const close = () => setOpened(undefined)
  const props = { series, onClose: close, onSaid }
  return (
    <Card as="li" aria-labelledby={headingId} className="flex flex-col gap-5">
      <div className="flex items-center gap-4">
        <Portrait name={practitioner.full_name} image={practitioner.main_image} size={72} shape="arch" />
        <div className="min-w-0 grow">
          <h3 id={headingId} className="text-xl">
            {rhythmLabel(rhythm, zone, dates[0]?.starts_at ?? 0)}
          </h3>
          <p className="text-soft">{`With ${practitioner.full_name}, ${formatPounds(series.fee)} each session`}</p>
        </div>
      </div>
      <SeriesAlerts
        headingId={headingId}
        series={series}
        onSaid={onSaid}
        onChangeCard={() => setOpened({ act: 'card' })}
      />
      {series.state !== 'proposed' && (
        <NextDates
          series={series}
          other={{ whose: 'Practitioner’s time', zone: practitioner.timezone }}
          renderActs={(date) => <DateActions series={series} date={date} onOpen={setOpened} />}
        />
      )}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {can.away && (
          <Button variant="secondary" onPress={() => setOpened({ act: 'away' })} aria-describedby={headingId}>
            I’ll be away
          </Button>
        )}
        {can.change && (
          <Button
            variant="secondary"
            onPress={() => setOpened({ act: 'change' })}
            aria-describedby={headingId}
          >
            Change the hour
          </Button>
        )}
        {can.change_card && (
          <Button variant="secondary" onPress={() => setOpened({ act: 'card' })} aria-describedby={headingId}>
            Change card
          </Button>
        )}
        {can.end && series.state !== 'proposed' && (
          <Button variant="quiet" onPress={() => setOpened({ act: 'end' })} aria-describedby={headingId}>
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
    onDone() {
      showToast(`${named} is yours again.`)
      focusDate(series, date)
    },
    onRefused: showIfChangedElsewhere,
  })
  const { can } = date
  const button = (act: 'skip' | 'move' | 'choose', label: string, name: string) => (
    <Button variant="secondary" size="small" aria-label={name} onPress={() => onOpen({ act, date })}>
      {label}
    </Button>
  )
  return (
    <>
      {can.pay && date.appointment_id !== null && (
        <ButtonLink to={payPath(date.appointment_id)} size="small" aria-label={`Pay for ${named}`}>
          Pay
        </ButtonLink>
      )}
      {can.skip && button('skip', 'Skip', `Skip ${named}`)}
      {can.move && date.appointment_id !== null && button('move', 'Move', `Move ${named}`)}
      {can.choose_time && button('choose', 'Choose a time', `Choose a time in place of ${named}`)}
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
