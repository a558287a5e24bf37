import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { healthConsent } from '#contract/accounts/health-consent.ts'
import type { FetchedCredential } from '#contract/accounts/identity.ts'
import { callApi } from '#web/lib/api.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import type { AccountRole } from './account-paths.ts'
import { enterAsClient, enterAsTherapist } from './fresh-sign-in.ts'

/** A person known to the identity provider who has no account here yet; `isNew` after a sign-in that found none. */
type NewPerson = { person: FetchedCredential; isNew: boolean }

const cancelled = 'You came back without signing in. You can try again, or use your email and password.'
const failed = 'That did not work. Please try again, or use your email and password.'

const never = () => () => {}
const readFragment = () => (/^#identity(-trouble)?=/.test(location.hash) ? location.hash : '')

/** What the provider's way back has left behind the `#` of this page's address; kept when it is taken out of there. */
export function useReturn(): { code: string } | { trouble: string } | undefined {
  const now = useSyncExternalStore(never, readFragment, () => '')
  const [kept, setKept] = useState('')
  if (now && now !== kept) setKept(now)
  useEffect(() => {
    // Left in the address, a reload would try the code again, and it would be readable on the screen.
    if (now) history.replaceState(history.state, '', `${location.pathname}${location.search}`)
  }, [now])
  const found = new URLSearchParams((now || kept).slice(1))
  const code = found.get('identity')
  const trouble = found.get('identity-trouble')
  if (code) return { code }
  return trouble ? { trouble: trouble === 'cancelled' ? cancelled : failed } : undefined
}

/** What the provider sends back: a one-time code in the address, or the credential itself. */
export type Arrival = { code: string } | { credential: string }

/** Signs in with what the provider sent back. Without an account, returns the person, to ask for the sign-up consents. */
export function useSocialEntrance(
  role: AccountRole,
  purpose: 'sign-in' | 'sign-up',
  arrival: Arrival,
  onEntered: (how: 'signed in' | 'signed up') => void,
  onTrouble: (message: string) => void,
) {
  const [state, setState] = useState<NewPerson>()
  const isBegun = useRef(false)

  const enter = useEffectEvent(async () => {
    if (isBegun.current) return
    isBegun.current = true
    let person: FetchedCredential | undefined
    try {
      person =
        'code' in arrival
          ? await callApi('POST /identity/exchange', { body: { code: arrival.code } })
          : personOf(arrival.credential)
      const body = { credential: person.credential }
      if (role === 'client') enterAsClient(await callApi('POST /client/google-sign-in', { body }))
      else enterAsTherapist(await callApi('POST /therapist/google-sign-in', { body }))
      onEntered('signed in')
    } catch (error) {
      if (person && error instanceof ApiError && error.code === 'no_account') {
        setState({ person, isNew: purpose === 'sign-in' })
      } else {
        onTrouble(messageOf(error))
      }
    }
  })
  useEffect(() => {
    void enter()
  }, [])

  return {
    state,
    /** Creates the account once the consents are given. @throws ApiError */
    async signUp({ credential }: FetchedCredential): Promise<void> {
      const body = { credential, accept_terms: true } as const
      if (role === 'client') {
        enterAsClient(
          await callApi('POST /client/google-sign-up', {
            body: { ...body, is_adult: true, health_consent: healthConsent.version },
          }),
        )
      } else {
        enterAsTherapist(await callApi('POST /therapist/google-sign-up', { body }))
      }
      onEntered('signed up')
    },
  }
}

/** What a credential says of its holder, to be shown to them; the server judges it anew before anything follows from it. */
function personOf(credential: string): FetchedCredential {
  const [, body = ''] = credential.split('.')
  const bytes = Uint8Array.from(atob(body.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
    sign.charCodeAt(0),
  )
  const claims = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : '')
  return {
    credential,
    first_name: text('given_name') || text('name'),
    last_name: text('family_name'),
    email: text('email'),
  }
}
