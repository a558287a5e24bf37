import { useQuery } from '@tanstack/react-query'
import { StandingElsewhere, StandingUnread } from '#web/features/practitioners/onboarding/CompleteProfile.tsx'
import { therapistProfileQuery } from '#web/features/practitioners/onboarding/therapist-profile.ts'
import { PaymentAccount } from '#web/features/subscriptions/PaymentAccount.tsx'
import { SubscriptionStatus } from '#web/features/subscriptions/SubscriptionStatus.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { Section } from '#web/ui/Section.tsx'

export const meta = () => [{ title: pageTitle('Complete profile') }]

export const clientLoader = () => null

const title = 'Complete profile'

export function HydrateFallback() {
  return (
    <div className="page max-w-3xl">
      <PageHeading title={title} />
      <Loading label="Loading your payment account" skeleton="h-48 rounded-xl" />
    </div>
  )
}

const steps = [
  'We check your identity, your DBS check, your licences and your insurance.',
  'When you are approved, your subscription begins and its first month is charged. Never before.',
  'From then on, clients can find you and book the times you offer.',
]

export default function TherapistComplete() {
  const query = useQuery(therapistProfileQuery())
  const profile = query.data
  const status = profile?.status
  return (
    <div className="page max-w-3xl">
      <PageHeading
        title={title}
        lead={
          status === 'submitted' &&
          'Thank you. We will now check your profile and your documents, and write to you.'
        }
      />
      <div className="flex flex-col gap-8">
        {!profile && <StandingUnread query={query} />}
        {profile && status !== 'submitted' && <StandingElsewhere profile={profile} />}
        <PaymentAccount />
        <SubscriptionStatus />
        {profile && status !== 'approved' && (
          <Section title="What happens next">
            <ol className="mt-3 flex list-decimal flex-col gap-2 pl-6">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </Section>
        )}
        <p>
          Would you like us to make your introduction with you over a video call?{' '}
          <TextLink to="/therapist/subscription#video">See its price and order it</TextLink>.
        </p>
        <div>
          <ButtonLink to="/therapist/dashboard">Find out more</ButtonLink>
        </div>
      </div>
    </div>
  )
}
