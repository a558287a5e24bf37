import { Navigate, useSearchParams } from 'react-router'
import { UnconfirmedEmail } from '#web/features/accounts/UnconfirmedEmail.tsx'
import { DashboardLoading, DashboardPage } from '#web/features/practitioners/dashboard/DashboardPage.tsx'
import { PractitionerLinks } from '#web/features/practitioners/dashboard/PractitionerLinks.tsx'
import { ownSessionsPath } from '#web/features/practitioners/dashboard/session-labels.ts'
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
  // Where earlier mails and notifications lead.
  if (search.get('sessions') === 'past') return <Navigate to={ownSessionsPath({ when: 'past' })} replace />
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
        renderFirst={({ profile }) => profile.listed && <AvailableNow />}
        renderSide={({ profile, tasks }) => (
          <>
            <SubscriptionStatus
              isTask={tasks.some(({ code, urgency }) => code === 'subscribe' && urgency === 'now')}
            />
            {profile.listed && <HelpToday />}
          </>
        )}
      />
    </div>
  )
}
