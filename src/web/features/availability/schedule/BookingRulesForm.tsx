import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookingRules } from '#contract/availability/schedule.ts'
import { callApi } from '#web/lib/api.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/Button.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Select } from '#web/ui/Select.tsx'
import { forgetSchedule, scheduleQuery } from './schedule-queries.ts'
import { minutesLabel } from './schedule-labels.ts'

const notices = [60, 120, 240, 480, 720, 1440, 2880, 4320, 10_080]
const pauses = [0, 5, 10, 15, 20, 30, 45, 60]

type Outcome = { tone: 'success' | 'danger'; text: string } | { tone: 'warning'; saved: BookingRules }

/**
 * How much notice is needed, and how long a pause is kept. Only what was changed is sent; what another window has saved
 * meanwhile is said, and not overwritten without being asked.
 */
export function BookingRulesForm({ saved }: { saved: BookingRules }) {
  const client = useQueryClient()
  const [changed, setChanged] = useState<Partial<BookingRules>>({})
  const [isSaving, setSaving] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  /** What stood here when the first change was made: another window's may come in since. */
  const [base, setBase] = useState(saved)
  const shown = { ...saved, ...changed }

  const change = (next: Partial<BookingRules>) => {
    if (Object.keys(changed).length === 0) setBase(saved)
    setChanged({ ...changed, ...next })
    setOutcome(undefined)
  }
  async function save(seen = base): Promise<void> {
    setSaving(true)
    setOutcome(undefined)
    try {
      await callApi('PUT /therapist/booking-rules', { body: { ...changed, seen } })
      await forgetSchedule(client)
      setChanged({})
      setOutcome({ tone: 'success', text: 'Saved. Sessions that are booked stay as they are.' })
    } catch (error) {
      setOutcome(await outcomeOf(error))
    } finally {
      setSaving(false)
    }
  }

  async function outcomeOf(error: unknown): Promise<Outcome> {
    const isElsewhere = error instanceof ApiError && error.code === 'changed_elsewhere'
    if (!isElsewhere) return { tone: 'danger', text: messageOf(error) }
    const { rules } = await client.fetchQuery(scheduleQuery())
    return { tone: 'warning', saved: rules }
  }

  return (
    <div className="flex flex-col gap-4">
      <Select
        label="Notice"
        description="How long before its start a session can still be booked."
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
      <div>
        <Button variant="secondary" isPending={isSaving} pendingLabel="Saving" onPress={() => void save()}>
          Save notice and pause
        </Button>
      </div>
      <div aria-live="polite" className="empty:sr-only">
        {outcome?.tone === 'warning' ? (
          <Alert
            tone="warning"
            title="Notice or pause was saved in another window meanwhile"
            actions={
              <>
                <Button
                  variant="secondary"
                  size="small"
                  onPress={() => {
                    setChanged({})
                    setOutcome(undefined)
                  }}
                >
                  Show the saved ones
                </Button>
                <Button variant="secondary" size="small" onPress={() => void save(outcome.saved)}>
                  Save these instead
                </Button>
              </>
            }
          >
            Saved are {minutesLabel(outcome.saved.notice_minutes)} of notice and{' '}
            {pauseLabel(outcome.saved.pause_minutes).toLowerCase()} between sessions. What you chose here is
            not saved yet.
          </Alert>
        ) : (
          outcome && <Alert tone={outcome.tone}>{outcome.text}</Alert>
        )}
      </div>
    </div>
  )
}

const pauseLabel = (minutes: number) => (minutes === 0 ? 'No pause' : minutesLabel(minutes))

/** What was saved by other means is among the choices as well. */
function optionsOf(usual: readonly number[], saved: number, words: (minutes: number) => string) {
  return [...new Set([...usual, saved])]
    .toSorted((a, b) => a - b)
    .map((minutes) => ({ value: String(minutes), label: words(minutes) }))
}
