import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookingRules } from '#contract/schedule.ts'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Select } from '#web/ui/Select.tsx'
import { forgetSchedule } from './schedule-queries.ts'
import { minutesWords } from './schedule-words.ts'

const notices = [60, 120, 240, 480, 720, 1440, 2880, 4320, 10_080]
const pauses = [0, 5, 10, 15, 20, 30, 45, 60]

/** How much notice is needed, and how long a pause is kept. Only what was changed is sent. */
export function BookingRulesForm({ saved }: { saved: BookingRules }) {
  const client = useQueryClient()
  const [changed, setChanged] = useState<Partial<BookingRules>>({})
  const [isSaving, setSaving] = useState(false)
  const [outcome, setOutcome] = useState<{ tone: 'success' | 'danger'; text: string }>()
  const shown = { ...saved, ...changed }

  const change = (next: Partial<BookingRules>) => {
    setChanged({ ...changed, ...next })
    setOutcome(undefined)
  }
  async function save(): Promise<void> {
    setSaving(true)
    setOutcome(undefined)
    try {
      await callApi('PUT /therapist/booking-rules', { body: changed })
      await forgetSchedule(client)
      setChanged({})
      setOutcome({ tone: 'success', text: 'Saved. Sessions that are booked stay as they are.' })
    } catch (error) {
      setOutcome({ tone: 'danger', text: messageOf(error) })
    } finally {
      setSaving(false)
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <Select
        label="Notice"
        description="How long before its start a session can still be booked."
        value={shown.notice_minutes}
        onChange={(event) => change({ notice_minutes: Number(event.currentTarget.value) })}
        options={optionsOf(notices, saved.notice_minutes, minutesWords)}
      />
      <Select
        label="Pause"
        description="Kept free between two sessions."
        value={shown.pause_minutes}
        onChange={(event) => change({ pause_minutes: Number(event.currentTarget.value) })}
        options={optionsOf(pauses, saved.pause_minutes, (minutes) =>
          minutes === 0 ? 'No pause' : minutesWords(minutes),
        )}
      />
      <div>
        <Button variant="secondary" isPending={isSaving} pendingLabel="Saving" onPress={() => void save()}>
          Save notice and pause
        </Button>
      </div>
      <div aria-live="polite" className="empty:sr-only">
        {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      </div>
    </div>
  )
}

/** What was saved by other means is among the choices as well. */
function optionsOf(usual: readonly number[], saved: number, words: (minutes: number) => string) {
  return [...new Set([...usual, saved])]
    .toSorted((a, b) => a - b)
    .map((minutes) => ({ value: String(minutes), label: words(minutes) }))
}
