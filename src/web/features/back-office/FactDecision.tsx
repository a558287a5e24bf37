import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { showApiError } from '#web/lib/form.ts'
import { Button } from '#web/ui/Button.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'

/** Accepts a document or licence, until a day where it has one, or refuses it with a reason. */
export function FactDecision({
  name,
  expiresOn,
  onAccept,
  onRefuse,
}: {
  /** 'DBS certificate'. */
  name: string
  /** What its owner said. */
  expiresOn: string | null
  onAccept(expiresOn: string | null): Promise<void>
  onRefuse(reason: string): Promise<void>
}) {
  const [isRefusing, setRefusing] = useState(false)
  const form = useForm<{ expires_on: string }>({ defaultValues: { expires_on: expiresOn ?? '' } })
  const { errors, isSubmitting } = form.formState
  const accept = form.handleSubmit(async ({ expires_on }) => {
    try {
      await onAccept(expires_on || null)
      showToast(`${name}: accepted.`)
    } catch (error) {
      showApiError(form, error)
    }
  })
  return (
    <>
      <form
        method="post"
        noValidate
        onSubmit={(event) => void accept(event)}
        className="flex flex-col gap-3"
        aria-label={`Decide on ${name}`}
      >
        {errors.root?.server && (
          <Alert tone="danger" live="assertive">
            {errors.root.server.message}
          </Alert>
        )}
        <TextField
          label="Last day on which it is good"
          description="Leave it empty where it has none."
          isOptional
          type="date"
          className="max-w-80"
          error={errors.expires_on?.message}
          {...form.register('expires_on')}
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton size="small" isPending={isSubmitting} aria-label={`Accept ${name}`}>
            Accept
          </SubmitButton>
          <Button
            size="small"
            variant="secondary"
            aria-label={`Refuse ${name}`}
            onPress={() => setRefusing(true)}
          >
            Refuse
          </Button>
        </div>
      </form>
      {isRefusing && (
        <ReasonDialog
          title={`Refuse this ${name.toLowerCase().replace('dbs', 'DBS')}?`}
          lead="They are told why, and asked to send another one. One that was accepted before still counts."
          description="They read it. Say what is wrong and what would do."
          confirmLabel="Refuse"
          onConfirm={async (reason) => {
            await onRefuse(reason)
            showToast(`${name}: refused. They get a mail.`)
          }}
          onClose={() => setRefusing(false)}
        />
      )}
    </>
  )
}
