import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form'
import { useForm } from '#web/lib/form.ts'
import { readSession } from '#web/lib/session.ts'
import { keepStepDraft, readStepDraft } from './step-drafts.ts'
import { useStepPlace } from './step-place.ts'
import { versionTag } from './therapist-profile.ts'

/** What was typed into a step and is not saved. */
export type Draft = {
  /** The form was filled with what was typed before; `elsewhere`: the step was saved by another window meanwhile. */
  restored: 'here' | 'elsewhere' | undefined
  isDirty: boolean
  /** Whether something is unsaved, at the moment of asking. Signing out has forgotten it. */
  isUnsaved(): boolean
  /** Forgets it: it is saved, or not wanted any more. */
  forget(): void
  /** The version of the step that the form was filled with, or that this window has saved a part as since. */
  version(): number
}

/**
 * The form of a step. What is typed is kept in the tab at once, and fills the form again after a reload or a way round.
 * @param saved the values that the server has
 */
export function useStepForm<Values extends FieldValues>(
  saved: Values,
): { form: UseFormReturn<Values>; draft: Draft } {
  const { step, profile, version, ifMatch, isOwn } = useStepPlace()
  const id = profile.practitioner_id
  const [kept] = useState(() => readStepDraft(id, step))
  const [isDirty, setDirty] = useState(kept !== undefined)
  const [restored] = useState<Draft['restored']>(
    () => kept && (kept.version === version ? 'here' : 'elsewhere'),
  )
  const unsaved = useRef(kept !== undefined)
  const form = useForm<Values>({
    // What was kept has the form's own shape; a field added by a later release takes the saved value.
    defaultValues: { ...saved, ...kept?.values } as DefaultValues<Values>,
  })
  const latest = useRef(saved)
  useLayoutEffect(() => {
    latest.current = saved
  })
  const base = useRef(version)

  const note = (isUnsaved: boolean) => {
    unsaved.current = isUnsaved
    setDirty(isUnsaved)
  }
  const compare = (values: Values) => {
    const isChanged = JSON.stringify(values) !== JSON.stringify(latest.current)
    keepStepDraft(id, step, isChanged ? { version: base.current, values } : undefined)
    note(isChanged)
  }
  const latestCompare = useRef(compare)
  useLayoutEffect(() => {
    latestCompare.current = compare
  })
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => latestCompare.current(values),
      }),
    [form],
  )
  const takeOver = useEffectEvent(() => {
    if (!unsaved.current) form.reset(saved)
    else {
      if (isOwn({ from: versionTag(step, base.current), to: ifMatch })) base.current = version
      compare(form.getValues())
    }
    // Nor is anything else typed than what is saved.
    if (!unsaved.current) base.current = version
  })
  // An upload has saved a part of the step, or another window has saved it: what is typed is then refused, and stays.
  const savedText = JSON.stringify(saved)
  const seen = useRef({ savedText, version })
  useEffect(() => {
    if (seen.current.savedText === savedText && seen.current.version === version) return
    seen.current = { savedText, version }
    takeOver()
  }, [savedText, version])

  return {
    form,
    draft: {
      restored,
      isDirty,
      isUnsaved: () => unsaved.current && readSession().role === 'therapist',
      forget() {
        keepStepDraft(id, step, undefined)
        note(false)
      },
      version: () => base.current,
    },
  }
}
