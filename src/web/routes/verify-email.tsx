import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { EntrancePage } from '#web/features/accounts/EntrancePage.tsx'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { pageTitle } from '#web/lib/site.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'

export const meta = () => [{ title: pageTitle('Confirm your email') }]

type State = { step: 'asking' | 'sending' | 'done' } | { step: 'failed'; message: string }

/** Opened from the link in a mail. A press confirms, since programs that look into mail open links as well. */
export default function VerifyEmail() {
  const [search] = useSearchParams()
  const token = search.get('token')
  const isHydrated = useHydrated()
  const [state, setState] = useState<State>({ step: 'asking' })

  const confirm = async () => {
    setState({ step: 'sending' })
    try {
      const { success } = await callApi('POST /client/verify-email', { body: { token: token ?? '' } })
      setState(success ? { step: 'done' } : { step: 'failed', message: 'Please try again.' })
    } catch (error) {
      setState({ step: 'failed', message: messageOf(error) })
    }
  }

  return (
    <EntrancePage title="Confirm your email">
      {!token && (
        <Notice tone="warning" title="This link is incomplete">
          Some mail programs cut long links. Copy the whole link into the address bar.
        </Notice>
      )}
      {state.step === 'failed' && (
        <Notice tone="danger" live="assertive" title="Your email is not confirmed yet" className="mb-5">
          {state.message}
        </Notice>
      )}
      {state.step === 'done' && (
        <Notice
          tone="success"
          live="polite"
          title="Your email is confirmed"
          actions={<ButtonLink to="/">Go to the home page</ButtonLink>}
        >
          Mails about your sessions now say who and when.
        </Notice>
      )}
      {token && state.step !== 'done' && (
        <div className="flex flex-col gap-4">
          <p>One press, and mails about your sessions can carry their details.</p>
          <Button
            fullWidth
            isDisabled={!isHydrated}
            isPending={state.step === 'sending'}
            onPress={() => void confirm()}
          >
            Confirm my email
          </Button>
        </div>
      )}
    </EntrancePage>
  )
}
