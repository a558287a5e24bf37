import { useForm } from 'react-hook-form'
import { callApi } from '#web/lib/api.ts'
import { showApiError } from '#web/lib/form.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'

export type Reported = { reviewId: number; about: 'review' | 'reply' }

type Props = Reported & { onClose(): void; onReported(): void }

/** Where somebody says what is wrong with a review, or with an answer to one. Loaded when it is asked for. */
export default function ReportDialog({ reviewId, about, onClose, onReported }: Props) {
  const form = useForm({ defaultValues: { reason: '' } })
  const { errors, isSubmitting } = form.formState

  const send = form.handleSubmit(async ({ reason }) => {
    try {
      await callApi(about === 'review' ? 'POST /reviews/{id}/report' : 'POST /reviews/{id}/reply/report', {
        params: { id: reviewId },
        body: { reason: reason.trim() },
      })
      onReported()
    } catch (error) {
      showApiError(form, error)
    }
  })

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      title={`Report this ${about}`}
      isStubborn={isSubmitting}
      footer={
        <>
          <SubmitButton form="report" isPending={isSubmitting} pendingLabel="Sending">
            Send report
          </SubmitButton>
          <Button variant="secondary" onPress={onClose} isDisabled={isSubmitting}>
            Cancel
          </Button>
        </>
      }
    >
      <form
        id="report"
        method="post"
        noValidate
        onSubmit={(event) => void send(event)}
        className="flex flex-col gap-5"
      >
        <p>
          Somebody of our team reads it and decides whether it stays. Whoever wrote it is not told who
          reported it. Being critical is no reason to take a {about} down.
        </p>
        {errors.root?.server && (
          <Notice tone="danger" live="assertive" title="Your report is not sent">
            {errors.root.server.message}
          </Notice>
        )}
        <TextArea
          label="What is wrong with it?"
          description="Such as a name or an address, a threat, an insult, or that it is about somebody else."
          rows={3}
          maxLength={1000}
          error={errors.reason?.message}
          {...form.register('reason', {
            validate: (reason) => reason.trim() !== '' || 'Say what is wrong with it.',
          })}
        />
      </form>
    </Dialog>
  )
}
