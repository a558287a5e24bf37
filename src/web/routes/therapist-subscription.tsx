import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { suspensionQuery } from '#web/features/practitioners/dashboard/dashboard-queries.ts'
import { Invoices } from '#web/features/subscriptions/Invoices.tsx'
import {
  SubscriptionPanel,
  SubscriptionPanelLoading,
} from '#web/features/subscriptions/SubscriptionPanel.tsx'
import {
  VideoProductionLoading,
  VideoProductionPanel,
} from '#web/features/subscriptions/VideoProductionPanel.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Section } from '#web/ui/Section.tsx'

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
  const query = useQuery(suspensionQuery())
  const { data, error } = query
  const isUnread = !data && error !== null
  const isSuspended = data && data.data !== null
  return (
    <div className="page flex max-w-3xl flex-col">
      {heading}
      <div className="flex flex-col gap-12">
        {isUnread ? (
          <QueryError title="Your subscription could not be checked" query={query} />
        ) : (
          <SubscriptionPanel isSuspended={isSuspended} />
        )}
        <Part id="invoices" title="Invoices">
          <Invoices />
        </Part>
        {!isUnread && !isSuspended && (
          <Part id="video" title="Your introduction on video">
            {data ? <VideoProductionPanel /> : <VideoProductionLoading />}
          </Part>
        )}
      </div>
    </div>
  )
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <Section id={id} title={title} size="2xl" className="flex scroll-mt-24 flex-col gap-3">
      {children}
    </Section>
  )
}
