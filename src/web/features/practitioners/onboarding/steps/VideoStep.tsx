import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { fieldOf } from '#web/lib/form.ts'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { StepForm } from '../StepForm.tsx'
import { useStepForm } from '../use-step-form.ts'
import { PresentFile, UploadField } from '../UploadField.tsx'

/** The choices as they are numbered on the wire. */
const choices = [
  {
    value: '0',
    label: 'I will upload my own',
    description: 'Free. A minute or two, as MP4 or WebM.',
  },
  {
    value: '1',
    label: 'Hearth makes it with me over a video call',
    description:
      '£60, or £10 in your first 30 days. You order it once your profile is submitted; nothing is charged now.',
  },
  {
    value: '2',
    label: 'I have a link',
    description: 'Free. Only links like youtube.com/watch?v=… can be shown on your profile.',
  },
  { value: '3', label: 'No video', description: 'You can add one at any time.' },
]

/** An introduction on video: an upload, one that is produced, a link, or none. */
export function VideoStep({ profile }: { profile: TherapistProfile }) {
  const [isMissed, setMissed] = useState(false)
  const { form, draft } = useStepForm({
    video_choice: profile.video_choice === null ? '' : String(profile.video_choice),
    video_url_link: profile.video_url_link ?? '',
  })
  const { errors } = form.formState
  const choice = useWatch({ control: form.control, name: 'video_choice' })
  const isThere = profile.profile_video !== null
  return (
    <StepForm
      form={form}
      draft={draft}
      check={() => {
        const isMissing = choice === '0' && !isThere
        setMissed(isMissing)
        return !isMissing
      }}
      save={{
        endpoint: 'PUT /therapist/update-profile',
        bodyOf: ({ video_choice, video_url_link }) => ({
          video_choice: Number(video_choice),
          ...(video_choice === '2' ? { video_url_link } : {}),
        }),
      }}
    >
      <RadioGroup
        label="How would you like to introduce yourself?"
        look="card"
        error={errors.video_choice?.message}
        options={choices}
        inputProps={form.register('video_choice', { required: 'Choose one to go on.' })}
      />
      {choice === '0' && (
        <UploadField
          label="Your video"
          kind="video"
          endpoint="POST /therapist/upload-profile-video"
          field="video"
          present={
            profile.profile_video && (
              <PresentFile title="Your video is here">
                <video
                  controls
                  preload="metadata"
                  src={profile.profile_video}
                  className="mt-2 w-full max-w-md rounded-md"
                >
                  <track kind="captions" />
                </video>
              </PresentFile>
            )
          }
          error={isMissed && !isThere ? 'Upload your video, or choose another way.' : undefined}
        />
      )}
      {choice === '2' && (
        <TextField
          label="Link to your video"
          type="url"
          inputMode="url"
          placeholder="https://www.youtube.com/watch?v="
          {...fieldOf(form, 'video_url_link', {
            validate: (link, { video_choice }) =>
              video_choice !== '2' || link.trim() !== '' || 'Enter the link to your video.',
          })}
        />
      )}
    </StepForm>
  )
}
