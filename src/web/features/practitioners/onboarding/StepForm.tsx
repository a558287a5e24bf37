import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { ProfileStep, TherapistProfile } from '#contract/practitioners/onboarding.ts'
import type { BodySent, EndpointKey } from '#contract/endpoints.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Form } from '#web/ui/Form.tsx'
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

/** Endpoints that save a step and answer the profile. */
type StepEndpoint =
  | 'PUT /therapist/update-profile'
  | Extract<EndpointKey, `POST /therapist/add-${string}-list`>

type Props<Values extends FieldValues, K extends StepEndpoint> = {
  form: UseFormReturn<Values>
  /** Saves what was filled in; absent where the step is saved as it goes. */
  save?: { endpoint: K; bodyOf(values: Values): BodySent<K> }
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
export function StepForm<
  Values extends FieldValues,
  K extends StepEndpoint = 'PUT /therapist/update-profile',
>({ form, save, check, names, children }: Props<Values, K>) {
  const { nextPath, backPath, isEditing, ifMatch } = useStepPlace()
  const navigate = useNavigate()
  const keep = useKeepProfile()

  const { send } = useAction<StepEndpoint>(save?.endpoint ?? 'PUT /therapist/update-profile', {
    onDone: keep,
  })

  async function submit(values: Values): Promise<void> {
    if (check && !check()) return
    // The body is of the endpoint beside it.
    if (save) await send({ body: save.bodyOf(values) as BodySent<StepEndpoint>, ifMatch })
    await navigate(nextPath)
  }

  return (
    <Form
      form={form}
      onSubmit={submit}
      failureTitle="This step is not saved yet"
      renderFailure={(_, error) => isChangedElsewhere(error) && <ChangedElsewhere />}
      wireNames={names}
      className="flex flex-col gap-7"
    >
      {children}
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-line pt-6">
        <SubmitButton pendingLabel="Saving">Next step</SubmitButton>
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
    </Form>
  )
}

export function isChangedElsewhere(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'changed_elsewhere'
}

/** Told where another window was quicker; what was typed here stays until the other is loaded. */
export function ChangedElsewhere() {
  const client = useQueryClient()
  const load = useAction(() => client.fetchQuery({ ...therapistProfileQuery(), staleTime: 0 }))
  return (
    <Alert
      tone="warning"
      live="assertive"
      title="This step was saved in another window meanwhile"
      actions={
        <Button variant="secondary" size="small" isPending={load.isPending} onPress={() => load.start()}>
          Load what was saved there
        </Button>
      }
    >
      <p>Nothing of this window was saved. What you typed is still here, so that you can copy it first.</p>
      {load.error !== undefined && <p className="mt-1 font-semibold">{messageOf(load.error)}</p>}
    </Alert>
  )
}
