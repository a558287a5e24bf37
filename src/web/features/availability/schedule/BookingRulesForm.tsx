import { useEffect, useState } from 'react'
import type { BookingRules } from '#contract/availability/schedule.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { keepEntered, readKept } from '#web/lib/kept-form.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { LiveRegion } from '#web/ui/LiveRegion.tsx'
import { Select } from '#web/ui/Select.tsx'
import { keptNames } from './kept-names.ts'
import { scheduleKeys } from './schedule-queries.ts'
import { minutesLabel } from './schedule-labels.ts'

const notices = [60, 120, 240, 480, 720, 1440, 2880, 4320, 10_080]
const seriesRules = [
  { value: 'open', label: 'Clients can keep an hour' },
  { value: 'ask', label: 'Clients ask me first' },
  { value: 'closed', label: 'Only when I offer it' },
] as const
const pauses = [0, 5, 10, 15, 20, 30, 45, 60]

/** What is kept in the tab while it is not saved. */
type Kept = { base: BookingRules; changed: Partial<BookingRules> }

/**
 * How much notice is needed, how long a pause is kept, and who may keep an hour. Only what was changed is sent; what
 * another window has saved meanwhile is said, and not overwritten without being asked.
 */
export function BookingRulesForm({
  saved,
  onUnsaved,
}: {
  saved: BookingRules
  /** Called with whether something is chosen that is not saved. */
  onUnsaved(isUnsaved: boolean): void
}) {
  const [kept] = useState((): Partial<Kept> => readKept(keptNames.rules) ?? {})
  const [changed, setChanged] = useState(kept.changed ?? {})
  /** What stood here when the first change was made: another window's may come in since. */
  const [base, setBase] = useState(kept.base ?? saved)
  const shown = { ...saved, ...changed }
  const isUnsaved = Object.keys(changed).length > 0
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved])
  useEffect(
    () => keepEntered(keptNames.rules, isUnsaved ? ({ base, changed } satisfies Kept) : undefined),
    [base, changed, isUnsaved],
  )

  const save = useAction('PUT /therapist/booking-rules', {
    invalidates: scheduleKeys(),
    onDone(answer, { body }) {
      setBase(answer)
      // What was chosen while it was saved stays.
      setChanged((now) => withoutSaved(now, body))
    },
  })
  const isElsewhere = save.error instanceof ApiError && save.error.code === 'changed_elsewhere'
  const change = (next: Partial<BookingRules>) => {
    if (!isUnsaved) setBase(saved)
    setChanged({ ...changed, ...next })
    if (!save.isPending) save.reset()
  }
  return (
    <div className="flex flex-col gap-4">
      <Select
        label="Notice"
        description="How close to its start a session can be booked."
        value={shown.notice_minutes}
        onChange={(event) => change({ notice_minutes: Number(event.currentTarget.value) })}
        options={optionsOf(notices, saved.notice_minutes, minutesLabel)}
      />
      <Select
        label="Pause"
        description="Kept free between two sessions."
        value={shown.pause_minutes}
        onChange={(event) => change({ pause_minutes: Number(event.currentTarget.value) })}
        options={optionsOf(pauses, saved.pause_minutes, pauseLabel)}
      />
      <Select
        label="Regular sessions"
        description="Whether clients may keep the same hour every week. Your own offers are always possible."
        value={shown.series_rule}
        onChange={(event) => {
          const chosen = seriesRules.find(({ value }) => value === event.currentTarget.value)
          if (chosen) change({ series_rule: chosen.value })
        }}
        options={seriesRules}
      />
      <div>
        <Button
          variant="secondary"
          isPending={save.isPending}
          pendingLabel="Saving"
          onPress={() => save.start({ body: { ...changed, seen: shownHere(base) } })}
        >
          Save these rules
        </Button>
      </div>
      <LiveRegion>
        {isElsewhere && !isSame(saved, save.input?.[0].body.seen) && (
          <Alert
            tone="warning"
            title="These rules were saved in another window"
            actions={
              <>
                <Button
                  variant="secondary"
                  size="small"
                  onPress={() => {
                    setChanged({})
                    save.reset()
                  }}
                >
                  Show what is saved
                </Button>
                <Button
                  variant="secondary"
                  size="small"
                  onPress={() => save.start({ body: { ...changed, seen: shownHere(saved) } })}
                >
                  Save mine instead
                </Button>
              </>
            }
          >
            Saved: {minutesLabel(saved.notice_minutes)} of notice and{' '}
            {pauseLabel(saved.pause_minutes).toLowerCase()} between sessions; regular sessions: “
            {seriesRules.find(({ value }) => value === saved.series_rule)?.label}”. What you chose here is not
            saved yet.
          </Alert>
        )}
        {save.error !== undefined && !isElsewhere && <Alert tone="danger">{messageOf(save.error)}</Alert>}
        {save.isDone && !isUnsaved && (
          <Alert tone="success">Saved. Sessions that are booked stay as they are.</Alert>
        )}
      </LiveRegion>
    </div>
  )
}

/** What the window shows of the rules: the waitlist is opened and closed elsewhere. */
const shownHere = ({ notice_minutes, pause_minutes, series_rule }: BookingRules) => ({
  notice_minutes,
  pause_minutes,
  series_rule,
})

function withoutSaved(changed: Partial<BookingRules>, saved: Partial<BookingRules>): Partial<BookingRules> {
  const isSaved = (name: string) => changed[name as keyof BookingRules] === saved[name as keyof BookingRules]
  return Object.fromEntries(Object.entries(changed).filter(([name]) => !isSaved(name)))
}

function isSame(saved: BookingRules, sent: Partial<BookingRules> | undefined): boolean {
  return (
    saved.notice_minutes === sent?.notice_minutes &&
    saved.pause_minutes === sent.pause_minutes &&
    saved.series_rule === sent.series_rule
  )
}

const pauseLabel = (minutes: number) => (minutes === 0 ? 'No pause' : minutesLabel(minutes))

/** What was saved by other means is among the choices as well. */
function optionsOf(usual: readonly number[], saved: number, words: (minutes: number) => string) {
  return [...new Set([...usual, saved])]
    .toSorted((a, b) => a - b)
    .map((minutes) => ({ value: String(minutes), label: words(minutes) }))
}
