import { Controller } from 'react-hook-form'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import type { BodySent } from '#contract/endpoints.ts'
import { CheckboxGroup } from '#web/ui/CheckboxGroup.tsx'
import { ChipGroup } from '#web/ui/ChipGroup.tsx'
import { useList, withLists } from '../lists.tsx'
import { StepForm } from '../StepForm.tsx'
import { useStepForm } from '../use-step-form.ts'

const approachList = 'GET /therapist/get-therapy-approach-list'
const issueList = 'GET /therapist/get-issue-list'

/** Therapy approaches. */
export const ApproachesStep = withLists([approachList], Approaches)

function Approaches({ profile }: { profile: TherapistProfile }) {
  const list = useList(approachList)
  const { form, draft } = useStepForm({
    therapy_approach_list: profile.therapist_approaches.map((each) => String(each.therapy_approach_id)),
  })
  return (
    <StepForm
      form={form}
      draft={draft}
      save={{
        endpoint: 'POST /therapist/add-therapy-approach-list',
        bodyOf: ({ therapy_approach_list: chosen }) => ({ therapy_approach_list: chosen.map(Number) }),
      }}
    >
      <Controller
        control={form.control}
        name="therapy_approach_list"
        rules={{ validate: (chosen) => chosen.length > 0 || 'Choose at least one approach.' }}
        render={({ field, fieldState }) => (
          <ChipGroup
            label="Approaches"
            name="approach"
            ref={field.ref}
            error={fieldState.error?.message}
            options={list.map((each) => ({
              value: String(each.therapy_approach_id),
              label: each.therapy_approach_name,
            }))}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
    </StepForm>
  )
}

/** Issues treated, and whom the practitioner sees. */
export const IssuesStep = withLists([issueList], Issues)

function Issues({ profile }: { profile: TherapistProfile }) {
  const list = useList(issueList)
  const { form, draft } = useStepForm({
    issue_list: profile.issues.map((each) => String(each.issue_id)),
    age_groups: profile.age_groups,
  })
  return (
    <StepForm
      form={form}
      draft={draft}
      save={{
        endpoint: 'POST /therapist/add-issue-list',
        bodyOf: ({ issue_list, age_groups }) => ({
          issue_list: issue_list.map(Number),
          age_groups: age_groups as AgeGroups,
        }),
      }}
    >
      <Controller
        control={form.control}
        name="issue_list"
        rules={{ validate: (chosen) => chosen.length > 0 || 'Choose at least one issue.' }}
        render={({ field, fieldState }) => (
          <ChipGroup
            label="Issues"
            name="issue"
            ref={field.ref}
            error={fieldState.error?.message}
            options={list.map((each) => ({ value: String(each.issue_id), label: each.issue_name }))}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
      <Controller
        control={form.control}
        name="age_groups"
        rules={{ validate: (chosen) => chosen.length > 0 || 'Choose who you see.' }}
        render={({ field, fieldState }) => (
          <CheckboxGroup
            label="Who you see"
            description="The person who pays must be 18 or over; a parent books for a child."
            name="age"
            ref={field.ref}
            error={fieldState.error?.message}
            options={profile.age_group_list.map((group) => ({ value: group, label: group }))}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
    </StepForm>
  )
}

type AgeGroups = BodySent<'POST /therapist/add-issue-list'>['age_groups']
