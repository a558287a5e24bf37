import { SecondFactor } from '#web/features/back-office/SecondFactor.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Second factor') }]

export default function AdminSecondFactor() {
  return (
    <div className="page max-w-2xl">
      <PageHeading title="Second factor" lead="What you sign in with besides your password." />
      <SecondFactor />
    </div>
  )
}
