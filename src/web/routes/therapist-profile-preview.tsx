import { ChangeOneThing, CompleteProfile } from '#web/features/practitioners/onboarding/CompleteProfile.tsx'
import { OwnProfile, OwnProfileLoading } from '#web/features/practitioners/onboarding/OwnProfile.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Profile preview') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page">
      <PageHeading title="Profile preview" />
      <OwnProfileLoading />
    </div>
  )
}

export default function TherapistProfilePreview() {
  return (
    <div className="page pb-16">
      <PageHeading
        title="Profile preview"
        lead="This is how clients will see you. Only you can see licences we have not checked yet."
      />
      <OwnProfile
        aside={
          <>
            <CompleteProfile />
            <ButtonLink to="/therapist/personal-info?isEditing=true" variant="secondary">
              Go through the steps again
            </ButtonLink>
            <ChangeOneThing returnTo="preview" />
          </>
        }
      />
    </div>
  )
}
