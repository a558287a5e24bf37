import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Schedule } from '#contract/availability/schedule.ts'
import type { WeekName } from '#contract/common.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { keepEntered, readKept } from '#web/lib/kept-form.ts'
import { useAction } from '#web/lib/use-action.ts'
import { keptNames } from './kept-names.ts'
import { type Draft, isSameWeek, withoutPlace } from './schedule-draft.ts'
import { scheduleKeys, scheduleQuery } from './schedule-queries.ts'
import { dayNames } from './schedule-labels.ts'

/** Why it could not be saved. `elsewhere`: another window has saved meanwhile. */
export type SaveProblem = { kind: 'elsewhere' } | { kind: 'places' | 'other'; messages: string[] }

/** Told of the first face-to-face hour that has no place, when that is what keeps the week from being saved. */
type OnMissing = (at: { day: WeekName; timeslot: string }) => void

export type ScheduleDraft = ReturnType<typeof useScheduleDraft>

/**
 * The week as it is being edited, apart from the one that is saved. What another window saves is taken over while nothing
 * has been edited here; else saving says so, and nothing is lost on either side. What is edited is kept in this tab: it is
 * there again after a reload, and after the same practitioner has signed in again.
 */
export function useScheduleDraft(saved: Schedule) {
  const client = useQueryClient()
  const [kept] = useState(() => readEdited(saved))
  const [base, setBase] = useState<Base>(kept?.base ?? { week: saved.schedule, version: saved.version })
  const [draft, setDraft] = useState<Draft>(kept?.draft ?? saved.schedule)
  /** Hours without a place, found before anything is sent. */
  const [placeless, setPlaceless] = useState<SaveProblem>()
  const put = useAction('POST /therapist/setup-schedule', {
    invalidates: scheduleKeys(),
  })
  const read = useAction(() => client.fetchQuery(scheduleQuery()))
  const problem = placeless ?? (put.error === undefined ? undefined : problemOf(put.error))
  const clearProblem = () => {
    setPlaceless(undefined)
    put.reset()
    read.reset()
  }
  const isDirty = !isSameWeek(draft, base.week)
  useEffect(() => keepEntered(keptNames.week, isDirty ? { base, draft } : undefined), [base, draft, isDirty])

  if (!isDirty && !put.isPending && saved.version > base.version) {
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
      setPlaceless({ kind: 'places', messages })
      return false
    }
    setPlaceless(undefined)
    read.reset()
    const version = over ?? base.version
    return put.send({ body: { schedule: [...draft], version } }).then(
      () => {
        setBase({ week: [...draft], version: version + 1 })
        return true
      },
      () => false,
    )
  }

  return {
    draft,
    isDirty,
    isSaving: put.isPending || read.isPending,
    problem,
    /** Why the schedule that another window has saved could not be read. */
    readError: read.error,
    placeIds,
    locations: saved.locations,
    timezone: saved.timezone,
    change(next: Draft): void {
      setDraft(next)
      // Without one, a save that is under way stays so.
      if (problem && problem.kind !== 'elsewhere') clearProblem()
    },
    save: (onMissing: OnMissing) => save(onMissing),
    /** Saves what is edited here over what another window has saved. */
    saveOver: (): Promise<boolean> =>
      read.send().then(
        ({ version }) => save(undefined, version),
        () => false,
      ),
    /** Discards the draft and loads the saved schedule. */
    takeSaved: (): Promise<void> =>
      read.send().then(
        (fresh) => {
          setBase({ week: fresh.schedule, version: fresh.version })
          setDraft(fresh.schedule)
          clearProblem()
        },
        () => undefined,
      ),
    discard(): void {
      setDraft(base.week)
      clearProblem()
    },
  }
}

/** The saved week that the editing began with. */
type Base = { week: Draft; version: number }

/** What was edited in this tab and not saved, unless it is what is saved by now. */
function readEdited(saved: Schedule): { base: Base; draft: Draft } | undefined {
  const { base, draft } = (readKept(keptNames.week) ?? {}) as { base?: Base; draft?: Draft }
  return base && draft && !isSameWeek(draft, saved.schedule) ? { base, draft } : undefined
}

function problemOf(error: unknown): SaveProblem {
  if (error instanceof ApiError && error.code === 'changed_elsewhere') return { kind: 'elsewhere' }
  const named = error instanceof ApiError ? error.errors.schedule : undefined
  return named ? { kind: 'places', messages: named } : { kind: 'other', messages: [messageOf(error)] }
}
