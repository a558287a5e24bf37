import { useEffect, useState } from 'react'
import type { PractitionerFile, VettedDocument, VettedLicence } from '#contract/back-office/back-office.ts'
import { fieldOf, useForm } from '#web/lib/form.ts'
import type { limitsOf } from '#web/lib/limits.ts'
import { Button } from '#web/ui/Button.tsx'
import { Form } from '#web/ui/Form.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'

type Limits = ReturnType<typeof limitsOf>

type Props = {
  /** 'DBS certificate'. */
  name: string
  fact: VettedDocument | VettedLicence
  /** How the profile stands. */
  profile: PractitionerFile['status']
  /** It cannot be accepted without its last day. */
  needsDay?: boolean
  onAccept(expiresOn: string | null): Promise<unknown>
  /** The limits of a reason to refuse it. */
  refusal: Limits
  onRefuse(reason: string): Promise<unknown>
  /** The limits of a reason to let it wait again. */
  reopening: Limits
  onReopen(reason: string): Promise<unknown>
}

/**
 * What can be decided about a document or licence as it stands. A dialog stays, with what it says, when another admin has
 * decided meanwhile.
 */
export function FactDecision(props: Props) {
  const { name, profile, fact, refusal, onRefuse, reopening, onReopen } = props
  const { status } = fact
  const [asked, setAsked] = useState<'refuse' | 'reopen'>()
  const close = () => setAsked(undefined)
  return (
    <>
      {status === 'waiting' && profile !== 'draft' && profile !== 'closed' && (
        <Decision {...props} onAskRefusal={() => setAsked('refuse')} />
      )}
      {status === 'accepted' && profile === 'submitted' && (
        <div>
          <Button
            size="small"
            variant="secondary"
            aria-label={`Decide again on ${name}`}
            onPress={() => setAsked('reopen')}
          >
            Decide again
          </Button>
        </div>
      )}
      {asked === 'refuse' && (
        <ReasonDialog
          title={`Refuse this ${name.toLowerCase().replace('dbs', 'DBS')}?`}
          lead="They are told why, and asked to send another one. One that was accepted earlier still counts."
          description="They will read this. Say what is wrong and what you need instead."
          confirmLabel="Refuse"
          limits={refusal}
          onConfirm={async (reason) => {
            await onRefuse(reason)
            showToast(`${name}: refused. They get an email.`)
          }}
          onClose={close}
        />
      )}
      {asked === 'reopen' && (
        <ReasonDialog
          title="Decide again?"
          lead={`${name} waits again, to be accepted or refused. The profile cannot be approved meanwhile.`}
          description="It is kept in the audit log. The practitioner does not see it."
          confirmLabel="Let it wait again"
          limits={reopening}
          onConfirm={async (reason) => {
            await onReopen(reason)
            showToast(`${name}: waiting again.`)
          }}
          onClose={close}
        />
      )}
    </>
  )
}

type DecisionProps = Pick<Props, 'name' | 'fact' | 'needsDay' | 'onAccept'> & {
  onAskRefusal(): void
}

/** Accepts a document or licence, until a day where it has one, or leads to its refusal. */
function Decision({ name, fact, needsDay, onAccept, onAskRefusal }: DecisionProps) {
  const { expires_on: expiresOn } = fact
  const form = useForm<{ expires_on: string }>({ defaultValues: { expires_on: expiresOn ?? '' } })
  // The practitioner has corrected the day.
  const { resetField } = form
  useEffect(() => resetField('expires_on', { defaultValue: expiresOn ?? '' }), [resetField, expiresOn])
  return (
    <Form
      form={form}
      onSubmit={async ({ expires_on }) => {
        await onAccept(expires_on || null)
        showToast(`${name}: accepted.`)
      }}
      className="flex flex-col gap-3"
      aria-label={`Decide on ${name}`}
    >
      <TextField
        label="Last day it is valid"
        description={
          needsDay
            ? expiresOn === null
              ? 'The practitioner has not said. It is on the certificate.'
              : undefined
            : 'Leave it empty if it has none.'
        }
        isOptional={!needsDay}
        type="date"
        className="max-w-80"
        {...fieldOf(form, 'expires_on', needsDay ? { required: 'Enter the last day of the insurance.' } : {})}
      />
      {/* The card shrinks with the decision: the second click of a double one would decide on the next document. */}
      <div
        className="flex flex-wrap gap-3"
        onClickCapture={(event) => {
          if (event.detail > 1) event.preventDefault()
        }}
      >
        <SubmitButton size="small" aria-label={`Accept ${name}`}>
          Accept
        </SubmitButton>
        <Button size="small" variant="secondary" aria-label={`Refuse ${name}`} onPress={onAskRefusal}>
          Refuse
        </Button>
      </div>
    </Form>
  )
}
