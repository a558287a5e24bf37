import { useState } from 'react'
import { useForm } from '#web/lib/form.ts'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { StepForm } from '../StepForm.tsx'
import { UploadField } from '../UploadField.tsx'

const missing = 'Add a photo of yourself.'

/** A portrait, shown as clients will see it. */
export function PhotoStep({ profile }: { profile: TherapistProfile }) {
  const form = useForm()
  const [isMissed, setMissed] = useState(false)
  const isThere = profile.main_image !== null
  return (
    <StepForm
      form={form}
      check={() => {
        setMissed(!isThere)
        return isThere
      }}
    >
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
        error={isMissed && !isThere ? missing : undefined}
      />
      <p className="text-sm text-soft">
        It is cropped to a square around your face. Where and how it was taken is removed.
      </p>
    </StepForm>
  )
}
