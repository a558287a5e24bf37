import { useRef } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { ComboBox } from '#web/ui/ComboBox.tsx'
import { TagGroup } from '#web/ui/TagGroup.tsx'
import { useList, withLists } from '../lists.tsx'
import { StepForm } from '../StepForm.tsx'
import { useStepForm } from '../use-step-form.ts'

const insurerList = 'GET /therapist/get-insurance-company-list'

/** Whether sessions can be paid by insurers, and by which. */
export const InsurersStep = withLists([insurerList], Insurers)

function Insurers({ profile }: { profile: TherapistProfile }) {
  const list = useList(insurerList)
  const box = useRef<HTMLDivElement>(null)
  const { form, draft } = useStepForm({
    works_with_insurance: profile.works_with_insurance,
    insurance_company_list: profile.insurance_companies.map((each) => each.insurance_company_id),
  })
  const works = useWatch({ control: form.control, name: 'works_with_insurance' })
  return (
    <StepForm
      form={form}
      draft={draft}
      save={{
        endpoint: 'POST /therapist/add-insurance-company-list',
        bodyOf: ({ works_with_insurance, insurance_company_list }) => ({
          works_with_insurance,
          insurance_company_list: works_with_insurance ? insurance_company_list : [],
        }),
      }}
    >
      <Checkbox
        description="Clients can then pay through their insurer, as you arrange with them both."
        {...form.register('works_with_insurance')}
      >
        I work with insurers
      </Checkbox>
      {works && (
        <Controller
          control={form.control}
          name="insurance_company_list"
          rules={{
            validate: (chosen, { works_with_insurance }) =>
              !works_with_insurance || chosen.length > 0 || 'Choose at least one insurer.',
          }}
          render={({ field, fieldState }) => (
            <div ref={box} className="flex flex-col gap-3">
              <ComboBox
                label="Insurers you work with"
                placeholder="Type a name"
                ref={field.ref}
                isAdding
                error={fieldState.error?.message}
                options={list
                  .filter((each) => !field.value.includes(each.insurance_company_id))
                  .map((each) => ({
                    value: String(each.insurance_company_id),
                    label: each.insurance_company,
                  }))}
                value={null}
                onChange={(added) => {
                  if (added !== null) field.onChange([...new Set([...field.value, Number(added)])])
                }}
              />
              {field.value.length > 0 && (
                <TagGroup
                  label="Chosen insurers"
                  isLabelHidden
                  tags={list
                    .filter((each) => field.value.includes(each.insurance_company_id))
                    .map((each) => ({
                      id: String(each.insurance_company_id),
                      label: each.insurance_company,
                    }))}
                  onRemove={(id) => {
                    field.onChange(field.value.filter((other) => String(other) !== id))
                    if (field.value.length === 1) box.current?.querySelector('input')?.focus()
                  }}
                />
              )}
            </div>
          )}
        />
      )}
    </StepForm>
  )
}
