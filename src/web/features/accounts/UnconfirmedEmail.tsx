import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { callApi } from '#web/lib/api.ts'
import { useSession } from '#web/lib/session.ts'
import { waitLabel } from '#web/lib/wait-label.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { accountPath } from './account-paths.ts'
import { ownAccountQuery } from './own-profile.ts'

type State = { step: 'idle' | 'sending' | 'sent' } | { step: 'failed'; error: unknown }

/**
 * Tells a client or practitioner whose address is not confirmed what that means, and sends the link again. Renders
 * nothing for other roles, for a confirmed address and while the account loads.
 */
export function UnconfirmedEmail({ className }: { className?: string }) {
  const { role } = useSession()
  const accountRole = role === 'therapist' ? 'therapist' : 'client'
  const queries = useQueryClient()
  const query = ownAccountQuery(accountRole)
  const { data } = useQuery({ ...query, enabled: role === 'client' || role === 'therapist' })
  const [state, setState] = useState<State>({ step: 'idle' })
  if (!data || data.email_verified) return null

  const send = async () => {
    setState({ step: 'sending' })
    try {
      await callApi(`POST /${accountRole}/resend-verification`)
      setState({ step: 'sent' })
    } catch (error) {
      setState({ step: 'failed', error })
      if (error instanceof ApiError && error.code === 'already_confirmed') {
        await queries.invalidateQueries({ queryKey: query.queryKey })
      }
    }
  }

  return (
    <Alert
      tone={state.step === 'sent' ? 'success' : 'warning'}
      title={state.step === 'sent' ? `We sent a link to ${data.email}` : 'Your email is not confirmed yet'}
      className={className}
      actions={
        <>
          <Button
            variant="secondary"
            isPending={state.step === 'sending'}
            pendingLabel="Sending"
            onPress={() => void send()}
          >
            Send the link again
          </Button>
          <ButtonLink variant="quiet" to={`${accountPath(accountRole, 'account')}/email`}>
            Use another address
          </ButtonLink>
        </>
      }
    >
      <div aria-live="polite">{wordsOf(state, data.email)}</div>
    </Alert>
  )
}

function wordsOf(state: State, email: string): string {
  if (state.step === 'sent') {
    return 'Open it within seven days; only the newest link works. If nothing arrives in a few minutes, look in the folder for unwanted mail.'
  }
  if (state.step === 'failed') {
    const { error } = state
    if (error instanceof ApiError && error.code === 'too_many_requests' && error.retryAfter !== undefined) {
      return `We have sent you several links already. The newest one works. You can ask for another ${waitLabel(error.retryAfter)}.`
    }
    return `The link was not sent. ${messageOf(error)}`
  }
  return `Open the link that we mailed to ${email}. Until then our mails to you leave out when your sessions are and with whom.`
}
