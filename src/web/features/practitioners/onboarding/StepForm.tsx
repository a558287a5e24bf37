import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { ProfileStep, TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { showApiError } from '#web/lib/form.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { therapistProfileQuery, useKeepProfile, versionTag } from './therapist-profile.ts'

/** Where a step stands in the wizard. */
export type StepPlace = {
  step: ProfileStep
  profile: TherapistProfile
  isEditing: boolean
  nextPath: string
  backPath: string | undefined
}

const Place = createContext<StepPlace | undefined>(undefined)
export const StepPlaceProvider = Place.Provider

/** The step that is on the screen. */
export function useStepPlace(): StepPlace & { ifMatch: string } {
  const place = use(Place)
  if (!place) throw new Error('This belongs into a step of the wizard.')
  return { ...place, ifMatch: versionTag(place.profile, place.step) }
}

type Props<Values extends FieldValues> = {
  form: UseFormReturn<Values>
  /** Saves what was filled in; nothing to save where the step is saved as it goes. */
  onSave?(values: Values): Promise<TherapistProfile>
  /** Asked before anything is saved: false where something is missing, which the step shows itself. */
  check?(): boolean
  /** What a field is called on the wire where the form calls it otherwise. */
  names?: Partial<Record<string, Path<Values>>>
  children: ReactNode
}

/**
 * The form of a step: 'Next step' saves it first and then goes on. A failure keeps what was typed. If the step was saved
 * in another window meanwhile, the form says so and can load it.
 */
export function StepForm<Values extends FieldValues>({
  form,
  onSave,
  check,
  names,
  children,
}: Props<Values>) {
  const { nextPath, backPath, isEditing } = useStepPlace()
  const navigate = useNavigate()
  const keep = useKeepProfile()
  const [isOvertaken, setOvertaken] = useState(false)
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (values) => {
    if (check && !check()) return
    try {
      if (onSave) keep(await onSave(values))
      await navigate(nextPath)
    } catch (error) {
      setOvertaken(isChangedElsewhere(error))
      showApiError(form, error, names)
    }
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-7">
      {errors.root?.server &&
        (isOvertaken ? (
          <ChangedElsewhere />
        ) : (
          <Alert tone="danger" live="assertive" title="This step is not saved yet">
            {errors.root.server.message}
          </Alert>
        ))}
      {children}
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-line pt-6">
        <SubmitButton isPending={isSubmitting} pendingLabel="Saving">
          Next step
        </SubmitButton>
        {backPath && (
          <ButtonLink to={backPath} variant="secondary">
            Back
          </ButtonLink>
        )}
        {!isEditing && (
          <TextLink to={nextPath} tone="plain" className="inline-flex min-h-11 items-center">
            Do this later
          </TextLink>
        )}
      </div>
    </form>
  )
}

export function isChangedElsewhere(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'changed_elsewhere'
}

/** Told where another window was quicker; what was typed here stays until the other is loaded. */
export function ChangedElsewhere() {
  const client = useQueryClient()
  const [failure, setFailure] = useState('')
  const [isLoading, setLoading] = useState(false)
  const load = async () => {
    setLoading(true)
    try {
      await client.fetchQuery({ ...therapistProfileQuery(), staleTime: 0 })
    } catch (error) {
      setFailure(messageOf(error))
      setLoading(false)
    }
  }
  return (
    <Alert
      tone="warning"
      live="assertive"
      title="This step was saved in another window meanwhile"
      actions={
        <Button variant="secondary" size="small" isPending={isLoading} onPress={() => void load()}>
          Load what was saved there
        </Button>
      }
    >
      <p>Nothing of this window was saved. What you typed is still here, so that you can copy it first.</p>
      {failure && <p className="mt-1 font-semibold">{failure}</p>}
    </Alert>
  )
}
