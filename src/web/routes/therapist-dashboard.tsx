import { useSearchParams } from 'react-router'
import { UnconfirmedEmail } from '#web/features/accounts/UnconfirmedEmail.tsx'
import { DashboardLoading, DashboardPage } from '#web/features/practitioners/dashboard/DashboardPage.tsx'
import { PractitionerLinks } from '#web/features/practitioners/dashboard/PractitionerLinks.tsx'
import { HelpToday } from '#web/features/get-help/HelpToday.tsx'
import { AvailableNow } from '#web/features/availability/schedule/AvailableNow.tsx'
import { SubscriptionStatus } from '#web/features/subscriptions/SubscriptionStatus.tsx'
import { VideoOrderAlert } from '#web/features/subscriptions/VideoOrderAlert.tsx'
import { useSession } from '#web/lib/session.ts'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Dashboard') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page">
      <PageHeading title="Dashboard" />
      <DashboardLoading />
    </div>
  )
}

export default function TherapistDashboard() {
  const session = useSession()
  const [search] = useSearchParams()
  const page = Math.max(1, Math.trunc(Number(search.get('page'))) || 1)
  return (
    <div className="page pb-16">
      <PageHeading
        title="Dashboard"
        lead={session.role === 'therapist' && `Hello, ${session.therapist.firstName}`}
        actions={<PractitionerLinks />}
      />
      <UnconfirmedEmail className="mb-6" />
      <VideoOrderAlert className="mb-6" />
      <DashboardPage
        when={search.get('sessions') === 'past' ? 'past' : 'upcoming'}
        page={page}
        hrefFor={({ when, page: to = 1 }) => {
          const query = new URLSearchParams()
          if (when === 'past') query.set('sessions', 'past')
          if (to > 1) query.set('page', String(to))
          return query.size > 0 ? `/therapist/dashboard?${query}#sessions` : '/therapist/dashboard#sessions'
        }}
        renderSide={({ profile, tasks }) => (
          <>
            <SubscriptionStatus isTask={tasks.some(({ code }) => code === 'subscribe')} />
            {profile.listed && <AvailableNow />}
            {profile.listed && <HelpToday />}
          </>
        )}
      />
    </div>
  )
}
