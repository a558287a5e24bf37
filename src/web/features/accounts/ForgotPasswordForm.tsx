import { fieldOf, useForm } from '#web/lib/form.ts'
import { useAction } from '#web/lib/use-action.ts'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Form } from '#web/ui/Form.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { accountPath, type EntranceRole } from './account-paths.ts'

type Values = { email: string }

/** Asks for a mail with a link. The answer is the same whether or not there is an account. */
export function ForgotPasswordForm({ role }: { role: EntranceRole }) {
  const form = useForm<Values>()

  const ask = useAction(`POST /${role}/forgot-password`)

  if (ask.isDone) {
    return (
      <div className="flex flex-col gap-5">
        <Alert tone="success" live="polite" title="We sent you a message with a new password.">
          Open the link in it within one hour to choose your password. If nothing arrives, check your spam
          folder.
        </Alert>
        <ButtonLink to={accountPath(role, 'sign-in')} variant="secondary">
          Back to log in
        </ButtonLink>
      </div>
    )
  }
  return (
    <Form form={form} onSubmit={(body) => ask.send({ body })}>
      <EmailField {...fieldOf(form, 'email', { required: 'Enter your email.' })} />
      <SubmitButton pendingLabel="Sending" fullWidth>
        Send me a link
      </SubmitButton>
    </Form>
  )
}
