import { IconLifebuoy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { HelpDispatch } from '#contract/get-help/help-dispatch.ts'
import { useConnection } from '#web/lib/live.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { followHelp } from './follow-help.ts'
import { onHelpNews } from './help-news.ts'
import { helpFollowPath, helpSearchPath } from './help-paths.ts'
import { dialogOf, isSaidThere } from './said-there.ts'
import { useTitleUntilSeen } from './use-title-flash.ts'
import { useRunningHelp } from './running-help.ts'

/** Elsewhere in the product: that a search for help is under way, how it stands, and the way back to it. */
export default function HelpBar() {
  const sessionId = useRunningHelp()
  const { pathname, search } = useLocation()
  if (sessionId === undefined || isSaidThere(sessionId, pathname, new URLSearchParams(search))) return null
  return <Bar key={sessionId} sessionId={sessionId} dialogShown={dialogOf(pathname, search)} />
}

function Bar({ sessionId, dialogShown }: { sessionId: string; dialogShown: string | null }) {
  const dispatch = useDispatch(sessionId)
  useTitleUntilSeen(dispatch?.state === 'accepted' ? 'Your therapist is there' : undefined)
  if (!dispatch || dispatch.state === 'expired' || dispatch.state === 'stopped') return null
  const { issue, dialog_id } = dispatch
  // Their chat has a bar of the session itself.
  if (dialog_id !== null && dialog_id === dialogShown) return null
  const to =
    dispatch.state === 'claimed'
      ? helpSearchPath(issue?.issue_id)
      : dispatch.state === 'accepted'
        ? sessionPath(sessionId)
        : helpFollowPath(sessionId, issue?.issue_id)
  return (
    <aside aria-label="Your search for help" className="border-b border-line bg-ember-soft">
      <div className="page flex flex-wrap items-center gap-x-4 py-1.5">
        <IconLifebuoy aria-hidden size={22} className="shrink-0 text-ember-text" />
        <output className="min-w-0 grow basis-52">{barLabel(dispatch)}</output>
        <TextLink to={to} className="inline-flex min-h-11 items-center font-semibold max-sm:ml-9.5">
          {dispatch.state === 'accepted' ? 'Go to your session' : 'See how it is going'}
        </TextLink>
      </div>
    </aside>
  )
}

function barLabel({ state, practitioner }: HelpDispatch): string {
  const name = practitioner?.full_name ?? 'A therapist'
  switch (state) {
    case 'claimed':
      return `${name} is held for you until you pay.`
    case 'accepted':
      return `${name} has accepted. Your session has begun.`
    case 'nobody':
      return 'Nobody could take your request. Your money goes back.'
    default:
      return practitioner ? `We are asking ${name} for you.` : 'We are asking the next therapist for you.'
  }
}

/** Outside of the pages that keep what they read in a cache. */
function useDispatch(sessionId: string): HelpDispatch | undefined {
  const [dispatch, setDispatch] = useState<HelpDispatch>()
  const isConnected = useConnection() === 'connected'
  useEffect(() => {
    const { look, stop } = followHelp(sessionId, isConnected, setDispatch)
    void look()
    const stopNews = onHelpNews(() => void look())
    return () => {
      stopNews()
      stop()
    }
  }, [sessionId, isConnected])
  return dispatch
}
