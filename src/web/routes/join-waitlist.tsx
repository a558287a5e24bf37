import { useSearchParams } from 'react-router'
import { JoinPage, JoinLoading } from '#web/features/waitlist/JoinPage.tsx'
import { pageTitle } from '#web/lib/site.ts'

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
  return (
    <div className="page max-w-2xl pb-16">
      <JoinPage key={search.toString()} search={search} />
    </div>
  )
}
