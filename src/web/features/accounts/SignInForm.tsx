import type { UseFormReturn } from 'react-hook-form'
import { ApiError } from '#web/lib/api-error.ts'
import { fieldOf, useForm } from '#web/lib/form.ts'
import { keepStaying } from '#web/lib/staying.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Form } from '#web/ui/Form.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { type AccountRole, accountPath } from './account-paths.ts'
import { enterAsClient, enterAsTherapist } from './fresh-sign-in.ts'

type Values = { email: string; password: string; stay_signed_in: boolean }

/** The sign-in form. A refusal never names the wrong field, because that would reveal whether the account exists. */
export function SignInForm({
  accountRole: role,
  onSignedIn,
}: {
  accountRole: AccountRole
  onSignedIn(): void
}) {
  const form = useForm<Values>({ defaultValues: { stay_signed_in: false } })

  const signInClient = useAction('POST /client/login', { onDone: enterAsClient })
  const signInTherapist = useAction('POST /therapist/login', { onDone: enterAsTherapist })

  return (
    <Form
      form={form}
      onSubmit={async (body) => {
        await (role === 'client' ? signInClient : signInTherapist).send({ body })
        keepStaying(role, body.stay_signed_in)
        onSignedIn()
      }}
      onFailure={(error) => role === 'client' && isRefused(error) && showRefusal(form)}
      renderFailure={(message, error) =>
        error instanceof ApiError &&
        error.code === 'too_many_requests' && (
          <Alert tone="danger" live="assertive">
            {message} Forgot your password?{' '}
            <TextLink to={accountPath(role, 'forgot-password')}>Choose a new one now</TextLink>.
          </Alert>
        )
      }
    >
      <EmailField {...fieldOf(form, 'email', { required: 'Enter your email.' })} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        {...fieldOf(form, 'password', { required: 'Enter your password.' })}
      />
      <Checkbox
        description="For 30 days after your last visit, or until you log out. Leave it off on a shared device."
        {...form.register('stay_signed_in')}
      >
        Stay signed in on this device
      </Checkbox>
      <SubmitButton pendingLabel="Logging in" fullWidth>
        Log in
      </SubmitButton>
      <TextLink to={accountPath(role, 'forgot-password')} className="tappable self-center">
        Forgot password?
      </TextLink>
    </Form>
  )
}

/** Shows a client the same two messages for a wrong email and a wrong password. A practitioner gets the server's message. */
function showRefusal(form: UseFormReturn<Values>): true {
  form.setError('password', { message: 'Check your password and try again.' })
  form.setError('email', { message: 'Check your email and try again.' }, { shouldFocus: true })
  return true
}

/** What was typed is wrong, as opposed to a limit or a network that fails. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 422 || error.status === 400)
}
