import { useSearchParams } from 'react-router'
import { JoinPage, JoinLoading } from '#web/features/waitlist/JoinPage.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { ownWaitlistPath } from '#web/lib/waitlist-path.ts'

export const meta = () => [{ title: pageTitle('Waitlist') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page max-w-2xl pb-16">
      <JoinLoading />
    </div>
  )
}

/** `?practitionerId&type&service`: a place on a waitlist is asked for here. `?entry`: one is changed. */
export default function JoinWaitlist() {
  const [search] = useSearchParams()
  const navigate = useLateNavigate()
  return (
    <div className="page max-w-2xl pb-16">
      <JoinPage
        key={search.toString()}
        search={search}
        onSaved={(saved) => void navigate(ownWaitlistPath, { replace: true, state: { saved } })}
      />
    </div>
  )
}
