import { CompleteProfile } from '#web/features/practice/CompleteProfile.tsx'
import { requireTherapist } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import type { Route } from './+types/therapist-profile-preview.ts'
import { OwnProfile, OwnProfileLoading } from './own-profile.tsx'

export const meta = () => [{ title: pageTitle('Profile preview') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireTherapist(request)
  return null
}

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
        lead="This is how clients will see you. Licences that we have not checked yet show here to you alone."
      />
      <OwnProfile
        aside={
          <>
            <CompleteProfile />
            <ButtonLink to="/therapist/personal-info?isEditing=true" variant="secondary">
              Go through the steps again
            </ButtonLink>
          </>
        }
      />
    </div>
  )
}
