import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { EntrancePage } from '#web/features/accounts/EntrancePage.tsx'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { readSession, renewPerson, useSession } from '#web/lib/session.ts'
import { pageTitle } from '#web/lib/site.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'

export const meta = () => [{ title: pageTitle('Your new email') }]

type State = { step: 'asking' | 'sending' | 'done' } | { step: 'failed'; message: string }

/** Opened from the link in a mail to a new address. A press confirms, since programs that look into mail open links as well. */
export default function ConfirmEmail() {
  const [search] = useSearchParams()
  const token = search.get('token')
  const isHydrated = useHydrated()
  const session = useSession()
  const [state, setState] = useState<State>({ step: 'asking' })

  const confirm = async () => {
    setState({ step: 'sending' })
    try {
      await callApi('POST /client/confirm-email', { body: { token: token ?? '' } })
      setState({ step: 'done' })
    } catch (error) {
      setState({ step: 'failed', message: messageOf(error) })
      return
    }
    await readAgain()
  }

  return (
    <EntrancePage title="Your new email">
      {!token && (
        <Notice tone="warning" title="This link is incomplete">
          Some mail programs cut long links. Copy the whole link into the address bar.
        </Notice>
      )}
      {state.step === 'failed' && (
        <Notice tone="danger" live="assertive" title="Your email is not changed" className="mb-5">
          {state.message}
        </Notice>
      )}
      {state.step === 'done' && (
        <Notice
          tone="success"
          live="polite"
          title="Your email is changed"
          actions={
            session.role === 'client' ? (
              <ButtonLink to="/account">Go to your account</ButtonLink>
            ) : (
              <ButtonLink to="/sign-in?return_to=%2Faccount">Log in</ButtonLink>
            )
          }
        >
          Log in with this address from now on. Our mails come here too.
        </Notice>
      )}
      {token && state.step !== 'done' && (
        <div className="flex flex-col gap-4">
          <p>One press, and this address is the one you log in with.</p>
          <Button
            fullWidth
            isDisabled={!isHydrated}
            isPending={state.step === 'sending'}
            onPress={() => void confirm()}
          >
            Use this address
          </Button>
        </div>
      )}
    </EntrancePage>
  )
}

/** Whoever is signed in in this tab may be the one whose address it is. */
async function readAgain(): Promise<void> {
  if (readSession().role !== 'client') return
  try {
    renewPerson({ user: await callApi('GET /client/profile') })
  } catch {
    // The header then shows the old address until the next sign-in.
  }
}
