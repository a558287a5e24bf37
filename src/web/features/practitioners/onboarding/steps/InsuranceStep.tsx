import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { DateField } from '#web/ui/DateField.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { StepForm } from '../StepForm.tsx'
import { useStepForm } from '../use-step-form.ts'
import { UploadField } from '../UploadField.tsx'
import { Documents, documentsOf } from './DocumentStep.tsx'

const missing = 'Upload your insurance certificate.'

/** Professional insurance, yes or no, and its certificate with the day on which it ends. */
export function InsuranceStep({ profile }: { profile: TherapistProfile }) {
  const documents = documentsOf(profile, 'insurance_certificate')
  const isThere = documents.some(({ status }) => status !== 'refused')
  const [isMissed, setMissed] = useState(false)
  const [expiresOn, setExpiresOn] = useState('')
  const answered = profile.has_insurance === null ? '' : profile.has_insurance ? 'yes' : 'no'
  const { form, draft } = useStepForm({ has_insurance: answered })
  const answer = useWatch({ control: form.control, name: 'has_insurance' })
  return (
    <StepForm
      form={form}
      draft={draft}
      check={() => {
        const isMissing = answer === 'yes' && !isThere
        setMissed(isMissing)
        return !isMissing
      }}
      save={{
        endpoint: 'PUT /therapist/update-profile',
        bodyOf: ({ has_insurance }) => ({ has_insurance: has_insurance === 'yes' }),
      }}
    >
      <RadioGroup
        label="Do you have professional indemnity insurance?"
        error={form.formState.errors.has_insurance?.message}
        options={[
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ]}
        inputProps={form.register('has_insurance', { required: 'Choose yes or no.' })}
      />
      {answer === 'yes' && (
        <>
          <DateField
            label="Valid until"
            description="The last day your certificate is valid. Enter it before you choose the file."
            value={expiresOn}
            onChange={setExpiresOn}
          />
          <UploadField
            label="Insurance certificate"
            kind="document"
            endpoint="POST /therapist/upload-insurance-certificate"
            field="insurance_certificate"
            fields={() =>
              expiresOn === ''
                ? 'Enter the last day the insurance is valid above, then try again.'
                : { expires_on: expiresOn }
            }
            present={documents.length > 0 && <Documents documents={documents} />}
            error={isMissed && !isThere ? missing : undefined}
          />
        </>
      )}
    </StepForm>
  )
}
