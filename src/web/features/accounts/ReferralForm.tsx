import { useForm } from 'react-hook-form'
import { callApi } from '#web/lib/api.ts'
import { showApiError } from '#web/lib/form.ts'
import { Button } from '#web/ui/Button.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'

type Props = {
  /** The code is good; a signed-in client has it now. */
  onConfirmed(discountPercent: number): void
  onSkip(): void
}

/** Takes a friend's code. What was typed stays when it is not good. */
export function ReferralForm({ onConfirmed, onSkip }: Props) {
  const form = useForm<{ referral_code: string }>({ defaultValues: { referral_code: '' } })
  const { errors, isSubmitting } = form.formState

  const confirm = form.handleSubmit(async ({ referral_code }) => {
    try {
      const body = { referral_code: referral_code.trim() }
      onConfirmed((await callApi('POST /client/check-referral-code', { body })).discount_percent)
    } catch (error) {
      showApiError(form, error)
    }
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void confirm(event)} className="flex flex-col gap-5">
      {errors.root?.server && (
        <Alert tone="danger" live="assertive" title="Your code could not be checked">
          {errors.root.server.message}
        </Alert>
      )}
      <TextField
        label="Referral code"
        description="8 letters and digits, such as HK4M7Q2P."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        error={errors.referral_code?.message}
        {...form.register('referral_code', {
          validate: (text) => text.trim() !== '' || 'Enter the code, or skip this.',
        })}
      />
      <div className="flex flex-col gap-3">
        <SubmitButton isPending={isSubmitting} pendingLabel="Checking the code" fullWidth>
          Confirm referral code
        </SubmitButton>
        <Button variant="quiet" fullWidth onPress={onSkip} isDisabled={isSubmitting}>
          Skip
        </Button>
      </div>
    </form>
  )
}
