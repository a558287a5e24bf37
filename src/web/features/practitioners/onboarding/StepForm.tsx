import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { BodySent, EndpointKey } from '#contract/endpoints.ts'
import { type ReturnPage, stages } from '#contract/practitioners/profile-steps.ts'
import { ApiError, BrowserError, messageOf } from '#web/lib/api-error.ts'
import { useAction } from '#web/lib/use-action.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { Button } from '#web/ui/Button.tsx'
import type { ConfirmDialogProps } from '#web/ui/ConfirmDialog.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { Form } from '#web/ui/Form.tsx'
import { LeaveWarning } from '#web/ui/LeaveWarning.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { keepStepDraft } from './step-drafts.ts'
import { fileOnItsWay, useStepPlace } from './step-place.ts'
import { therapistProfileQuery, useKeepProfile, versionTag } from './therapist-profile.ts'
import type { Draft } from './use-step-form.ts'

/** Endpoints that save a step and answer the profile. */
type StepEndpoint =
  | 'PUT /therapist/update-profile'
  | Extract<EndpointKey, `POST /therapist/add-${string}-list`>

type Props<Values extends FieldValues, K extends StepEndpoint> = {
  form: UseFormReturn<Values>
  /** Absent where nothing is typed. */
  draft?: Draft
  /** Saves what was filled in; absent where the step is saved as it goes. */
  save?: { endpoint: K; bodyOf(values: Values): BodySent<K> } | undefined
  /** Asked together with the fields: false where something else is missing, which the step shows itself. */
  check?(): boolean
  /** Asks before what is filled in is saved, where it returns a question. */
  questionOf?(values: Values): StepQuestion | undefined
  children: ReactNode
}

/** Confirms that the step is saved with what that deletes. */
export type StepQuestion = Pick<
  ConfirmDialogProps,
  'title' | 'confirmLabel' | 'cancelLabel' | 'isDangerous' | 'children'
>

const returnLabels: Record<ReturnPage, string> = {
  preview: 'Back to the preview',
  view: 'Back to your profile',
  dashboard: 'Back to the dashboard',
  calendar: 'Back to the calendar',
  suspended: 'Back to your suspension',
}

/**
 * The form of a step: 'Next step' saves it first and then goes on; where the step alone is changed, 'Save' leads back to
 * where the practitioner came from. A failure keeps what was typed. If the step was saved in another window meanwhile,
 * the form says so and can load it.
 */
export function StepForm<
  Values extends FieldValues,
  K extends StepEndpoint = 'PUT /therapist/update-profile',
>({ form, draft, save, check, questionOf, children }: Props<Values, K>) {
  const { step, nextPath, backPath, walk, ifMatch, isSending } = useStepPlace()
  const navigate = useLateNavigate()
  const keep = useKeepProfile()
  const { returnTo } = walk
  const [asked, setAsked] = useState<{ question: StepQuestion; values: Values }>()

  const { send } = useAction<StepEndpoint>(save?.endpoint ?? 'PUT /therapist/update-profile', {
    onDone(answer) {
      draft?.forget()
      keep(answer)
    },
  })

  async function submit(values: Values): Promise<void> {
    if (isSending) throw new BrowserError(fileOnItsWay)
    const question = questionOf?.(values)
    if (question) setAsked({ question, values })
    else await saveStep(values)
  }

  async function saveStep(values: Values): Promise<void> {
    // The body is of the endpoint beside it.
    const filled = draft ? versionTag(step, draft.version()) : ifMatch
    if (save) await send({ body: save.bodyOf(values) as BodySent<StepEndpoint>, ifMatch: filled })
    await navigate(nextPath)
  }

  return (
    <>
      {draft?.restored && <Restored draft={draft} />}
      <Form
        form={form}
        onSubmit={submit}
        check={check}
        failureTitle={failureTitle}
        renderFailure={(_, error) => isChangedElsewhere(error) && <ChangedElsewhere />}
        className="flex flex-col gap-7"
      >
        {children}
        <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-line pt-6">
          <SubmitButton pendingLabel="Saving">{returnTo ? 'Save' : 'Next step'}</SubmitButton>
          {backPath && (
            <ButtonLink to={backPath} variant="secondary">
              {returnTo ? returnLabels[returnTo] : 'Back'}
            </ButtonLink>
          )}
          {!walk.isEditing && !returnTo && (
            <TextLink to={nextPath} tone="plain" className="tappable">
              Do this later
            </TextLink>
          )}
        </div>
      </Form>
      {asked && (
        <ActionDialog
          {...asked.question}
          onClose={() => setAsked(undefined)}
          onConfirm={() => saveStep(asked.values)}
          renderFailure={(error) =>
            isChangedElsewhere(error) ? (
              <ChangedElsewhere />
            ) : (
              <ErrorAlert title={failureTitle} error={error} />
            )
          }
        />
      )}
      <LeaveWarning
        isUnsaved={() => isSending || draft?.isUnsaved() === true}
        isDirty={isSending || draft?.isDirty === true}
        isWithin={({ pathname }) => !isSending && isWizard(pathname)}
      >
        <p>
          {isSending
            ? 'A file is still on its way. It may not arrive if you leave this page now.'
            : draft?.isDirty
              ? 'What you typed on this page is not part of your profile yet. This tab keeps it until you sign out or close it.'
              : 'Your file has arrived meanwhile: nothing is lost.'}
        </p>
      </LeaveWarning>
    </>
  )
}

const failureTitle = 'This step was not saved'

const isWizard = (pathname: string) => stages.some(({ path }) => path === pathname)

/** Tells that the form shows what was typed before and not saved. */
function Restored({ draft }: { draft: Draft }) {
  const { restart } = useStepPlace()
  if (!draft.isDirty) return null
  return (
    <Alert
      title="What you typed here is back"
      className="mb-6"
      actions={
        <Button
          variant="secondary"
          size="small"
          onPress={() => {
            draft.forget()
            restart()
          }}
        >
          Go back to what is saved
        </Button>
      }
    >
      {draft.restored === 'elsewhere'
        ? 'It is not saved yet. This step was saved in another window after you typed it: saving now replaces that.'
        : 'It is not saved yet.'}
    </Alert>
  )
}

export function isChangedElsewhere(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'changed_elsewhere'
}

/** Told where another window was quicker; what was typed here stays until the other is loaded. */
export function ChangedElsewhere() {
  const client = useQueryClient()
  const { profile, step, restart } = useStepPlace()
  const load = useAction(() => client.fetchQuery({ ...therapistProfileQuery(), staleTime: 0 }), {
    onDone() {
      keepStepDraft(profile.practitioner_id, step, undefined)
      restart()
    },
  })
  return (
    <Alert
      tone="warning"
      live="assertive"
      title="This step was saved in another window"
      actions={
        <Button variant="secondary" size="small" isPending={load.isPending} onPress={() => load.start()}>
          Load what was saved there
        </Button>
      }
    >
      <p>Nothing from this window was saved. What you typed is still here, so you can copy it first.</p>
      {load.error !== undefined && <p className="mt-1 font-semibold">{messageOf(load.error)}</p>}
    </Alert>
  )
}
