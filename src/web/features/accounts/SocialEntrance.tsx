import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { FetchedCredential } from '#contract/accounts/identity.ts'
import { fieldOf, useForm } from '#web/lib/form.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { useSiteFacts } from '#web/lib/site-facts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Form } from '#web/ui/Form.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { AcceptTerms } from './AcceptTerms.tsx'
import { type AccountRole, accountPath } from './account-paths.ts'
import { GoogleButton } from './GoogleButton.tsx'
import { HealthConsent, healthConsentRules } from './HealthConsent.tsx'
import { type Arrival, useReturn, useSocialEntrance } from './social-entrance.ts'

type Props = {
  accountRole: AccountRole
  purpose: 'sign-in' | 'sign-up'
  onEntered(how: 'signed in' | 'signed up'): void
  children: ReactNode
}

/**
 * Signing in or up by the provider that the site offers, above the form for email and password. Without a provider the
 * form stands alone.
 */
export function SocialEntrance(props: Props) {
  const provider = useSiteFacts()?.identityProvider
  const back = useReturn()
  const [trouble, setTrouble] = useState<string>()
  const [credential, setCredential] = useState<string>()
  if (!provider) return props.children
  const returned = back && 'code' in back && trouble === undefined ? back : undefined
  const arrival = credential === undefined ? returned : { credential }
  if (arrival) {
    return (
      <Entering
        {...props}
        arrival={arrival}
        onLeave={(message) => {
          setCredential(undefined)
          setTrouble(message)
        }}
      />
    )
  }
  return (
    <Choice
      {...props}
      provider={provider}
      onCredential={setCredential}
      trouble={trouble ?? (back && 'trouble' in back && back.trouble)}
    />
  )
}

/** Back from the provider: signed in, or asked for what a new account needs. */
function Entering({
  accountRole: role,
  purpose,
  arrival,
  onEntered,
  onLeave,
}: Props & {
  arrival: Arrival
  /** With what went wrong; empty when they want another way. */
  onLeave(message: string): void
}) {
  const { state, signUp } = useSocialEntrance(role, purpose, arrival, onEntered, onLeave)
  if (!state) {
    return (
      <p className="grid justify-items-center gap-3 py-8 text-soft">
        <Spinner label="Signing you in" />
        <span aria-hidden>Signing you in</span>
      </p>
    )
  }
  return (
    <ConfirmSignUp
      accountRole={role}
      person={state.person}
      isNew={state.isNew}
      onConfirm={() => signUp(state.person)}
      onLeave={() => onLeave('')}
    />
  )
}

/** Either the provider or the form. */
function Choice({
  accountRole: role,
  purpose,
  provider,
  trouble,
  onCredential,
  children,
}: Props & {
  provider: string
  trouble: string | false | undefined
  onCredential(credential: string): void
}) {
  const button = useSiteFacts()?.identityButton
  const [search] = useSearchParams()
  const returnTo = search.get('return_to')
  const wish = new URLSearchParams({
    page: accountPath(role, purpose),
    ...(returnTo ? { return_to: returnTo } : {}),
  })
  // To another site, and so no link of the router's.
  const link = (
    <a
      href={`/api/v7/identity/start?${wish.toString()}`}
      rel="nofollow"
      className={buttonLook({ variant: 'secondary', fullWidth: true })}
    >
      Continue with {provider}
    </a>
  )
  return (
    <>
      {trouble && (
        <Alert tone="warning" live="assertive" className="mb-5">
          {trouble}
        </Alert>
      )}
      {button ? (
        <GoogleButton clientId={button.clientId} purpose={purpose} onCredential={onCredential}>
          {link}
        </GoogleButton>
      ) : (
        link
      )}
      <p className="my-6 flex items-center gap-4 text-soft before:h-px before:flex-1 before:bg-edge after:h-px after:flex-1 after:bg-edge">
        or
      </p>
      <h2 className="mb-5 text-xl">Continue with Email</h2>
      {children}
    </>
  )
}

type Ticks = { is_adult: boolean; accept_terms: boolean; health_consent: boolean }

/** The consents that a client or practitioner gives before the account is created. */
function ConfirmSignUp({
  accountRole: role,
  person,
  isNew,
  onConfirm,
  onLeave,
}: {
  accountRole: AccountRole
  person: FetchedCredential
  isNew: boolean
  onConfirm(): Promise<void>
  onLeave(): void
}) {
  const form = useForm<Ticks>()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])

  return (
    <Form form={form} onSubmit={onConfirm}>
      <h2 ref={heading} tabIndex={-1} className="text-xl">
        {isNew ? 'Need to create an account with this email' : 'One more step'}
      </h2>
      <p>
        Your account will be {`${person.first_name} ${person.last_name}`.trim()},{' '}
        <strong>{person.email}</strong>. You can change both later.
      </p>
      <div>
        {role === 'client' && (
          <Checkbox {...fieldOf(form, 'is_adult', limitsOf('POST /client/register', 'is_adult'))}>
            I am 18 or over
          </Checkbox>
        )}
        <AcceptTerms {...fieldOf(form, 'accept_terms', limitsOf('POST /client/register', 'accept_terms'))} />
        {role === 'client' && <HealthConsent {...fieldOf(form, 'health_consent', healthConsentRules)} />}
      </div>
      <SubmitButton pendingLabel="Creating your account" fullWidth>
        Create an account
      </SubmitButton>
      <Button variant="quiet" onPress={onLeave} fullWidth>
        Use another way
      </Button>
    </Form>
  )
}
