import { useQuery } from '@tanstack/react-query'
import { DashboardSubpage } from '#web/features/layout/DashboardSubpage.tsx'
import {
  ChangeOneThing,
  SendAgain,
  Standing,
  Unsaved,
} from '#web/features/practitioners/onboarding/CompleteProfile.tsx'
import { therapistProfileQuery } from '#web/features/practitioners/onboarding/therapist-profile.ts'
import { Documents, documentsOf } from '#web/features/practitioners/onboarding/steps/DocumentStep.tsx'
import { OwnProfile, OwnProfileLoading } from '#web/features/practitioners/onboarding/OwnProfile.tsx'
import { ProfileFacts, ProfileIntroduction } from '#web/features/practitioners/ProfileFacts.tsx'
import { ProfileHeader } from '#web/features/practitioners/ProfileHeader.tsx'
import { serverNow } from '#web/lib/clock.ts'
import { pageTitle } from '#web/lib/site.ts'
import { useViewerZone } from '#web/lib/viewer-zone.ts'
import { ButtonLink } from '#web/ui/Link.tsx'

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
  const zone = useViewerZone()
  const now = serverNow()
  const { data: profile } = useQuery(therapistProfileQuery())
  const certificates = profile ? documentsOf(profile, 'insurance_certificate') : []
  return (
    <DashboardSubpage {...heading}>
      <OwnProfile
        renderProfile={(own) => (
          <>
            <ProfileHeader profile={own} zone={zone} now={now} level={2} />
            <ProfileIntroduction profile={own} />
            <ProfileFacts profile={own} now={now} />
            {profile && certificates.length > 0 && (
              <section aria-labelledby="certificate-title">
                <h2 id="certificate-title" className="mb-3 text-2xl">
                  Insurance certificate
                </h2>
                <Documents documents={certificates} status={profile.status} />
              </section>
            )}
          </>
        )}
        aside={
          <>
            {profile && <Standing profile={profile} />}
            {profile && (
              <>
                <Unsaved profile={profile} returnTo="view" />
                <SendAgain profile={profile} returnTo="view" />
              </>
            )}
            <ButtonLink to="/therapist/personal-info?isEditing=true">Edit or refill profile</ButtonLink>
            <ChangeOneThing returnTo="view" />
          </>
        }
      />
    </DashboardSubpage>
  )
}
