import { useForm } from '#web/lib/form.ts'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { StepForm } from '../StepForm.tsx'
import { UploadField } from '../UploadField.tsx'
import { useNeededFile } from '../use-needed-file.ts'

/** A portrait, shown as clients will see it. */
export function PhotoStep({ profile }: { profile: TherapistProfile }) {
  const form = useForm()
  const { check, error } = useNeededFile(profile.main_image === null, 'Add a photo of yourself.')
  return (
    <StepForm form={form} check={check}>
      <UploadField
        label="Photo"
        kind="image"
        endpoint="POST /therapist/upload-profile-image"
        field="image"
        present={
          profile.main_image && (
            <img
              src={profile.main_image}
              alt="You, as clients see you"
              width={176}
              height={176}
              className="size-44 rounded-t-full rounded-b-lg border border-line object-cover"
            />
          )
        }
        error={error}
      />
      <p className="text-sm text-soft">
        It is cropped to a square around your face. Where and how it was taken is removed.
      </p>
    </StepForm>
  )
}
