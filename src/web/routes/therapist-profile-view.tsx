import { useQuery } from '@tanstack/react-query'
import { DashboardSubpage } from '#web/features/layout/DashboardSubpage.tsx'
import {
  ChangeOneThing,
  SendAgain,
  StandingElsewhere,
  StandingUnread,
  Unsaved,
} from '#web/features/practitioners/onboarding/CompleteProfile.tsx'
import { therapistProfileQuery } from '#web/features/practitioners/onboarding/therapist-profile.ts'
import { Documents, documentsOf } from '#web/features/practitioners/onboarding/steps/DocumentStep.tsx'
import { OwnProfile, OwnProfileLoading } from '#web/features/practitioners/onboarding/OwnProfile.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Section } from '#web/ui/Section.tsx'

export const meta = () => [{ title: pageTitle('Your therapist profile') }]

const heading = { title: 'View your therapist profile', isWide: true }

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <DashboardSubpage {...heading}>
      <OwnProfileLoading />
    </DashboardSubpage>
  )
}

export default function TherapistProfileView() {
  const query = useQuery(therapistProfileQuery())
  const profile = query.data
  const certificates = profile ? documentsOf(profile, 'insurance_certificate') : []
  return (
    <DashboardSubpage {...heading}>
      <OwnProfile
        below={
          profile &&
          certificates.length > 0 && (
            <Section title="Insurance certificate" size="2xl" className="flex flex-col gap-3">
              <Documents documents={certificates} status={profile.status} />
            </Section>
          )
        }
        aside={
          <>
            {profile ? (
              <>
                <StandingElsewhere profile={profile} />
                <Unsaved profile={profile} returnTo="view" />
                <SendAgain profile={profile} returnTo="view" />
              </>
            ) : (
              <StandingUnread query={query} />
            )}
            {/* The server refuses changes, but for the papers that the page of a suspension names. */}
            {profile && profile.status !== 'suspended' && profile.status !== 'closed' && (
              <>
                <ButtonLink to="/therapist/personal-info?isEditing=true">Edit or refill profile</ButtonLink>
                <ChangeOneThing returnTo="view" />
              </>
            )}
          </>
        }
      />
    </DashboardSubpage>
  )
}
