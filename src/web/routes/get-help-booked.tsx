import { useSearchParams } from 'react-router'
import { issueIdOf } from '#web/features/get-help/help-paths.ts'
import { HelpFollow } from '#web/features/get-help/HelpFollow.tsx'
import { HelpLoading } from '#web/features/get-help/SafetyGate.tsx'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Your session') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return <HelpLoading here="Booking" />
}

/** `?issueId&session`: follows a search that is paid for. Nothing is asked or paid here. */
export default function GetHelpBooked() {
  const [search] = useSearchParams()
  return <HelpFollow sessionId={search.get('session') ?? undefined} issueId={issueIdOf(search)} />
}
