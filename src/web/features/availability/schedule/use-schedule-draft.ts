import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schedule, WeekName } from '#contract/availability/schedule.ts'
import { callApi } from '#web/lib/api.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { type Draft, isSameWeek, withoutPlace } from './schedule-draft.ts'
import { forgetSchedule, scheduleQuery } from './schedule-queries.ts'
import { dayNames } from './schedule-labels.ts'

/** Why it could not be saved. `elsewhere`: another window has saved meanwhile. */
export type SaveProblem = { kind: 'elsewhere' } | { kind: 'places' | 'other'; messages: string[] }

/** Told of the first face-to-face hour that has no place, when that is what keeps the week from being saved. */
type OnMissing = (at: { day: WeekName; timeslot: string }) => void

export type ScheduleDraft = ReturnType<typeof useScheduleDraft>

/**
 * The week as it is being edited, apart from the one that is saved. What another window saves is taken over while nothing
 * has been edited here; else saving says so, and nothing is lost on either side.
 */
export function useScheduleDraft(saved: Schedule) {
  const client = useQueryClient()
  const [base, setBase] = useState({ week: saved.schedule, version: saved.version })
  const [draft, setDraft] = useState<Draft>(saved.schedule)
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState<SaveProblem>()
  const isDirty = !isSameWeek(draft, base.week)

  if (!isDirty && !isSaving && saved.version > base.version) {
    setBase({ week: saved.schedule, version: saved.version })
    setDraft(saved.schedule)
  }

  const placeIds = saved.locations.map((place) => place.location_id)

  /** True once it is saved. `over` is the version of another window's that the reader has decided to replace. */
  async function save(onMissing?: OnMissing, over?: number): Promise<boolean> {
    const missing = withoutPlace(draft, placeIds)
    if (missing[0]) {
      onMissing?.(missing[0])
      const messages = missing.map(
        ({ day, timeslot }) => `${dayNames[day].long}, ${timeslot}: choose where you see people.`,
      )
      setProblem({ kind: 'places', messages })
      return false
    }
    const version = over ?? base.version
    setSaving(true)
    setProblem(undefined)
    try {
      await callApi('POST /therapist/setup-schedule', { body: { schedule: [...draft], version } })
      setBase({ week: [...draft], version: version + 1 })
      await forgetSchedule(client)
      return true
    } catch (error) {
      setProblem(problemOf(error))
      return false
    } finally {
      setSaving(false)
    }
  }

  return {
    draft,
    isDirty,
    isSaving,
    problem,
    placeIds,
    locations: saved.locations,
    timezone: saved.timezone,
    change(next: Draft): void {
      setDraft(next)
      if (problem?.kind !== 'elsewhere') setProblem(undefined)
    },
    save: (onMissing: OnMissing) => save(onMissing),
    /** Saves what is edited here over what another window has saved. */
    async saveOver(): Promise<boolean> {
      const { version } = await client.fetchQuery(scheduleQuery())
      return save(undefined, version)
    },
    /** Discards the draft and loads the saved schedule. */
    async takeSaved(): Promise<void> {
      const fresh = await client.fetchQuery(scheduleQuery())
      setBase({ week: fresh.schedule, version: fresh.version })
      setDraft(fresh.schedule)
      setProblem(undefined)
    },
    discard(): void {
      setDraft(base.week)
      setProblem(undefined)
    },
  }
}

function problemOf(error: unknown): SaveProblem {
  if (error instanceof ApiError && error.code === 'changed_elsewhere') return { kind: 'elsewhere' }
  const named = error instanceof ApiError ? error.errors.schedule : undefined
  return named ? { kind: 'places', messages: named } : { kind: 'other', messages: [messageOf(error)] }
}
