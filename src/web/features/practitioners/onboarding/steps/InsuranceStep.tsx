import { Controller, useWatch } from 'react-hook-form'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { isDate } from '#web/lib/typed-date.ts'
import { DateField } from '#web/ui/DateField.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { StepForm } from '../StepForm.tsx'
import { useStepForm } from '../use-step-form.ts'
import { UploadField } from '../UploadField.tsx'
import { Documents, documentsOf } from './DocumentStep.tsx'
import { useNeededFile } from '../use-needed-file.ts'

/** Professional insurance, yes or no, and its certificate with the day on which it ends. */
export function InsuranceStep({ profile }: { profile: TherapistProfile }) {
  const documents = documentsOf(profile, 'insurance_certificate')
  // A suspended practitioner can send the certificate with its day, and save nothing else.
  const isSuspended = profile.status === 'suspended'
  const isThere = documents.some(({ status }) => status !== 'refused')
  const waiting = documents.find(({ status }) => status === 'waiting')
  const answered = profile.has_insurance === null ? '' : profile.has_insurance ? 'yes' : 'no'
  const { form, draft } = useStepForm({
    has_insurance: answered,
    insurance_expires: waiting?.expires_on ?? '',
  })
  const answer = useWatch({ control: form.control, name: 'has_insurance' })
  const { check, error } = useNeededFile(answer === 'yes' && !isThere, 'Upload your insurance certificate.')
  return (
    <StepForm
      form={form}
      draft={draft}
      check={check}
      save={
        isSuspended
          ? undefined
          : {
              endpoint: 'PUT /therapist/update-profile',
              bodyOf: ({ has_insurance, insurance_expires }) => ({
                has_insurance: has_insurance === 'yes',
                ...(has_insurance === 'yes' && waiting && { insurance_expires }),
              }),
            }
      }
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
          <Controller
            control={form.control}
            name="insurance_expires"
            rules={{
              validate: (day, { has_insurance }) =>
                has_insurance !== 'yes' ||
                (day === '' ? !waiting || isSuspended : isDate(day)) ||
                'Enter the day it ends, as day, month and year.',
            }}
            render={({ field }) => (
              <DateField
                label="Valid until"
                description="The last day on the certificate that you send."
                ref={field.ref}
                value={field.value}
                onChange={field.onChange}
                error={form.formState.errors.insurance_expires?.message}
              />
            )}
          />
          <UploadField
            label="Insurance certificate"
            kind="document"
            endpoint="POST /therapist/upload-insurance-certificate"
            field="insurance_certificate"
            fields={(): Record<string, string> | string => {
              const day = form.getValues('insurance_expires')
              if (isDate(day)) return { expires_on: day }
              return isSuspended ? 'Enter the day it ends first, as day, month and year.' : {}
            }}
            present={documents.length > 0 && <Documents documents={documents} status={profile.status} />}
            error={error}
          />
        </>
      )}
    </StepForm>
  )
}
