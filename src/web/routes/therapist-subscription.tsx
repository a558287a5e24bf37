import type { ReactNode } from 'react'
import { Invoices } from '#web/features/subscriptions/Invoices.tsx'
import {
  SubscriptionPanel,
  SubscriptionPanelLoading,
} from '#web/features/subscriptions/SubscriptionPanel.tsx'
import { VideoProductionPanel } from '#web/features/subscriptions/VideoProductionPanel.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Subscription') }]

export const clientLoader = () => null

const heading = (
  <PageHeading
    above={<Breadcrumbs items={[{ label: 'Money', to: '/therapist/money' }, { label: 'Subscription' }]} />}
    title="Subscription"
    lead="What you pay us, with an invoice for each payment. Dates are in London time."
  />
)

export function HydrateFallback() {
  return (
    <div className="page max-w-3xl">
      {heading}
      <SubscriptionPanelLoading />
    </div>
  )
}

export default function TherapistSubscription() {
  return (
    <div className="page flex max-w-3xl flex-col">
      {heading}
      <div className="flex flex-col gap-12">
        <SubscriptionPanel />
        <Part id="invoices" title="Invoices">
          <Invoices />
        </Part>
        <Part id="video" title="Your introduction on video">
          <VideoProductionPanel />
        </Part>
      </div>
    </div>
  )
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-24">
      <h2 id={`${id}-title`} className="mb-3 text-2xl">
        {title}
      </h2>
      {children}
    </section>
  )
}
