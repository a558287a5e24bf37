import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminProfile } from '#contract/accounts/second-factor.ts'
import { fieldOf, useForm } from '#web/lib/form.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Card } from '#web/ui/Card.tsx'
import { Form } from '#web/ui/Form.tsx'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { adminProfileQuery } from './admin-queries.ts'
import { CopyButton } from './CopyButton.tsx'
import { QrCode } from './QrCode.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type Shown = { secret: string; uri: string }

/** Sets up an authenticator app, or another one in its place: the secret, a code of it, and the recovery codes. */
export function SecondFactor({ onCodes }: { onCodes?(areShown: boolean): void }) {
  const client = useQueryClient()
  const { data: profile } = useQuery(adminProfileQuery())
  const [shown, setShown] = useState<Shown>()
  const [codes, setCodes] = useState<string[]>()

  if (codes) {
    return (
      <RecoveryCodes
        codes={codes}
        onKept={() => {
          setCodes(undefined)
          setShown(undefined)
          onCodes?.(false)
          void client.invalidateQueries({ queryKey: adminProfileQuery().queryKey })
        }}
      />
    )
  }
  if (shown) {
    return (
      <ConfirmSecret
        {...shown}
        onConfirmed={(made) => {
          setCodes(made)
          onCodes?.(true)
        }}
      />
    )
  }
  return profile && <BeginSetUp onShown={setShown} factor={profile.second_factor} />
}

type BeginProps = { factor: AdminProfile['second_factor']; onShown(shown: Shown): void }

function BeginSetUp({ factor: { is_on: isOn, recovery_codes_left: left }, onShown }: BeginProps) {
  const form = useForm<{ current_password: string }>({ defaultValues: { current_password: '' } })
  const begin = useAction('POST /admin/second-factor/set-up', { onDone: onShown })
  return (
    <Card>
      <Form
        form={form}
        onSubmit={({ current_password }) => begin.send({ body: isOn ? { current_password } : {} })}
      >
        {isOn ? (
          <>
            <p>
              {`Your authenticator app is set up, and ${left === 1 ? '1 recovery code is' : `${left} recovery codes are`} left.`}
            </p>
            <p className="text-soft">
              If you have a new phone or are running out of recovery codes, set it up again: your present app
              works until the new one is confirmed.
            </p>
            <PasswordField
              label="Your password"
              autoComplete="current-password"
              {...fieldOf(form, 'current_password', { required: 'Enter your password.' })}
            />
          </>
        ) : (
          <p>
            You need an app that shows a new six-digit code every half minute, such as your phone’s password
            manager. It takes a minute.
          </p>
        )}
        <div>
          <SubmitButton>{isOn ? 'Set up again' : 'Set up the app'}</SubmitButton>
        </div>
      </Form>
    </Card>
  )
}

function ConfirmSecret({ secret, uri, onConfirmed }: Shown & { onConfirmed(codes: string[]): void }) {
  const form = useForm<{ code: string }>({ defaultValues: { code: '' } })
  const confirm = useAction('POST /admin/second-factor/confirm', {
    onDone: ({ recovery_codes }) => onConfirmed(recovery_codes),
  })
  return (
    <Card>
      <Form form={form} onSubmit={(body) => confirm.send({ body })} className="flex flex-col gap-6">
        <div className="flex flex-wrap items-start gap-6">
          <QrCode
            text={uri}
            label="QR code for your authenticator app"
            otherwise="The QR code did not load. The key does the same."
          />
          <div className="flex min-w-0 grow basis-60 flex-col gap-3">
            <h2 className="text-xl">1. Add Hearth to your app</h2>
            <p>Scan the code with the app, or type this key into it:</p>
            <p className="font-semibold">{groupsOf(secret)}</p>
            <CopyButton text={secret}>Copy the key</CopyButton>
          </div>
        </div>
        <div className="flex flex-col gap-3">
          <h2 className="text-xl">2. Enter the six digits it shows</h2>
          <TextField
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            className="max-w-60"
            {...fieldOf(form, 'code', { required: 'Enter the six digits.' })}
          />
        </div>
        <div>
          <SubmitButton>Turn it on</SubmitButton>
        </div>
      </Form>
    </Card>
  )
}

/** Groups a secret by four, `ABCD EFGH …`, to be typed into an authenticator app. */
function groupsOf(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret
}
