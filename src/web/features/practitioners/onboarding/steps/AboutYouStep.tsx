import { Controller } from 'react-hook-form'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { choicesOf } from '#contract/search-filters.ts'
import { zoneNameOfToday } from '#contract/zone-names.ts'
import { limitedField } from '#web/lib/form.ts'
import { viewerZone } from '#web/lib/time.ts'
import { isDate } from '#web/lib/typed-date.ts'
import { ComboBox } from '#web/ui/ComboBox.tsx'
import { DateField } from '#web/ui/DateField.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useList, withLists } from '../lists.tsx'
import { StepForm } from '../StepForm.tsx'
import { useStepForm } from '../use-step-form.ts'

const phoneCodes = 'GET /therapist/get-phone-code-list'
const timezones = 'GET /therapist/get-timezone-list'

/** Gender, pronouns, form of address, birthday, phone and time zone. */
export const AboutYouStep = withLists([phoneCodes, timezones], AboutYou)

function AboutYou({ profile }: { profile: TherapistProfile }) {
  const codes = useList(phoneCodes).map(({ phone_code, country }) => ({
    // Some countries share a code.
    value: `${phone_code} ${country}`,
    label: `${country} (${phone_code})`,
  }))
  const zones = useList(timezones)
  const ownZone = zoneNameOfToday(viewerZone())
  const { form, draft } = useStepForm({
    gender: profile.gender ?? '',
    pronouns: profile.pronouns ?? '',
    title_id: profile.title_id === null ? '' : String(profile.title_id),
    date_of_birth: profile.date_of_birth ?? '',
    phone_code: codes.find(({ value }) => value.startsWith(`${profile.phone_code ?? '+44'} `))?.value ?? '',
    phone_number: profile.phone_number ?? '',
    timezone_id: String(
      profile.steps.find(({ step }) => step === 'about_you')?.version
        ? profile.timezone_id
        : (zones.find(({ timezone_name }) => timezone_name === ownZone)?.timezone_id ?? profile.timezone_id),
    ),
  })
  const { errors } = form.formState
  return (
    <StepForm
      form={form}
      draft={draft}
      save={{
        endpoint: 'PUT /therapist/update-profile',
        bodyOf: ({ gender, pronouns, title_id, date_of_birth, phone_code, phone_number, timezone_id }) => ({
          gender,
          pronouns,
          title_id: title_id === '' ? null : Number(title_id),
          date_of_birth,
          phone_code: phone_code.split(' ')[0] ?? '',
          phone_number,
          timezone_id: Number(timezone_id),
        }),
      }}
    >
      <RadioGroup
        label="Gender"
        error={errors.gender?.message}
        options={profile.gender_list.map(({ name }) => ({ value: name, label: name }))}
        inputProps={form.register('gender', { required: 'Choose your gender.' })}
      />
      <Select
        label="Pronouns"
        description="Shown on your profile, and clients can search by them. Your bio has room for others."
        isOptional
        className="max-w-100"
        error={errors.pronouns?.message}
        options={[
          { value: '', label: 'Not shown' },
          ...choicesOf('pronouns').map((value) => ({ value, label: value })),
        ]}
        {...form.register('pronouns')}
      />
      <Select
        label="Academic title"
        isOptional
        className="max-w-60"
        error={errors.title_id?.message}
        options={[
          { value: '', label: 'None' },
          ...profile.title_list.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        {...form.register('title_id')}
      />
      <Controller
        control={form.control}
        name="date_of_birth"
        rules={{
          validate: (day) => isDate(day) || 'Enter your date of birth as day, month and year.',
        }}
        render={({ field }) => (
          <DateField
            label="Date of birth"
            description="For example 27 3 1985."
            autoComplete="bday"
            ref={field.ref}
            value={field.value}
            onChange={field.onChange}
            error={errors.date_of_birth?.message}
          />
        )}
      />
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Controller
          control={form.control}
          name="phone_code"
          rules={{ required: 'Choose the country code of your number.' }}
          render={({ field }) => (
            <ComboBox
              label="Country code"
              ref={field.ref}
              options={codes}
              value={field.value}
              onChange={(value) => field.onChange(value ?? '')}
              onBlur={field.onBlur}
              error={errors.phone_code?.message}
            />
          )}
        />
        <TextField
          label="Phone number"
          type="tel"
          autoComplete="tel-national"
          inputMode="tel"
          {...limitedField(form, 'PUT /therapist/update-profile', 'phone_number', {
            required: 'Enter your phone number.',
          })}
        />
      </div>
      <Controller
        control={form.control}
        name="timezone_id"
        rules={{ required: 'Choose your time zone.' }}
        render={({ field }) => (
          <ComboBox
            label="Time zone"
            ref={field.ref}
            description="Your weekly hours use it."
            options={zones.map(({ timezone_id, timezone_name }) => ({
              value: String(timezone_id),
              label: timezone_name.replaceAll('_', ' '),
            }))}
            value={field.value}
            onChange={(value) => field.onChange(value ?? '')}
            onBlur={field.onBlur}
            error={errors.timezone_id?.message}
          />
        )}
      />
    </StepForm>
  )
}
