import type { DashboardOverview } from '#contract/practitioners/dashboard.ts'
import { Alert } from '#web/ui/Alert.tsx'

/** How the profile stands, where clients cannot find it. What can be done about it is in the list of tasks below. */
export function FirstRun({ profile }: { profile: DashboardOverview['profile'] }) {
  switch (profile.status) {
    case 'draft':
      return (
        <Alert title="Clients cannot find you yet">
          Three things are needed: a complete profile, our check of your documents, and a subscription. You
          can set your schedule meanwhile.
        </Alert>
      )
    case 'submitted':
      return (
        <Alert title="We are checking your profile">
          You have submitted it. We are checking your documents and licences, and will write to you when that
          is done. You can set your schedule and add your card meanwhile.
        </Alert>
      )
    case 'rejected':
      return (
        <Alert tone="warning" title="Your profile is not approved yet">
          We have looked at it and need you to change something, named below. Then submit it again.
        </Alert>
      )
    default:
      return profile.listed || profile.subscribed_until === null ? null : (
        <Alert tone="warning" title="Clients cannot find you now">
          Your subscription or one of your documents has run out. See below what comes next.
        </Alert>
      )
  }
}
