import { DashboardSubpage } from '#web/features/layout/DashboardSubpage.tsx'
import { OwnEarnings } from '#web/features/practitioners/dashboard/OwnEarnings.tsx'
import { BalancePanel } from '#web/features/subscriptions/BalancePanel.tsx'
import { subscriptionPath } from '#web/features/subscriptions/billing-labels.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Section } from '#web/ui/Section.tsx'

export const meta = () => [{ title: pageTitle('Money') }]

export const clientLoader = () => null

const heading = {
  title: 'Money',
  lead: 'What you have earned, what we owe you, and a statement for each month.',
  actions: (
    <ButtonLink to={subscriptionPath} variant="secondary">
      Subscription and invoices
    </ButtonLink>
  ),
}

export function HydrateFallback() {
  return (
    <DashboardSubpage {...heading}>
      <Skeleton className="h-72 rounded-xl" />
    </DashboardSubpage>
  )
}

export default function TherapistMoney() {
  return (
    <DashboardSubpage {...heading}>
      <div className="flex flex-col gap-12">
        <OwnEarnings />
        <Section id="balance" title="Your balance" size="2xl" className="flex scroll-mt-24 flex-col gap-3">
          <BalancePanel />
        </Section>
      </div>
    </DashboardSubpage>
  )
}
