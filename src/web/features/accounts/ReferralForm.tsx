import { limitedField, useForm } from '#web/lib/form.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Form } from '#web/ui/Form.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'

type Props = {
  /** The code is good; a signed-in client has it now. */
  onConfirmed(discountPercent: number): void
  /** Absent where there is nothing to skip. */
  onSkip?(): void
}

/** Takes a friend's code. What was typed stays when it is not good. */
export function ReferralForm({ onConfirmed, onSkip }: Props) {
  const form = useForm<{ referral_code: string }>({ defaultValues: { referral_code: '' } })
  const { isSubmitting } = form.formState

  const confirm = useAction('POST /client/check-referral-code', {
    onDone: ({ discount_percent }) => onConfirmed(discount_percent),
  })

  return (
    <Form
      form={form}
      onSubmit={({ referral_code }) => confirm.send({ body: { referral_code: referral_code.trim() } })}
      failureTitle="Your code could not be checked"
    >
      <TextField
        label="Referral code"
        description="8 letters and numbers, such as HK4M7Q2P."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...limitedField(form, 'POST /client/check-referral-code', 'referral_code', {
          validate: (text) =>
            text.trim() !== '' || (onSkip ? 'Enter the code, or skip this.' : 'Enter the code.'),
        })}
      />
      <div className="flex flex-col gap-3">
        <SubmitButton pendingLabel="Checking the code" fullWidth>
          Confirm referral code
        </SubmitButton>
        {onSkip && (
          <Button variant="quiet" fullWidth onPress={onSkip} isDisabled={isSubmitting}>
            Skip
          </Button>
        )}
      </div>
    </Form>
  )
}
