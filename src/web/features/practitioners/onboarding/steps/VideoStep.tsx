import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { videoIdOf, videoLinkRefusal } from '#contract/practitioners/video-link.ts'
import { limitedField } from '#web/lib/form.ts'
import { BrowserError } from '#web/lib/api-error.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { VideoPlayer } from '#web/ui/VideoPlayer.tsx'
import { StepForm, type StepQuestion } from '../StepForm.tsx'
import { fileOnItsWay, useKeepPart, useStepPlace } from '../step-place.ts'
import { useStepForm } from '../use-step-form.ts'
import { PresentFile, UploadField } from '../UploadField.tsx'
import { useNeededFile } from '../use-needed-file.ts'

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
  const { form, draft } = useStepForm({
    video_choice: profile.video_choice === null ? '' : String(profile.video_choice),
    video_url_link: profile.video_url_link ?? '',
    video_transcript: profile.profile_video_transcript ?? '',
  })
  const { errors } = form.formState
  const choice = useWatch({ control: form.control, name: 'video_choice' })
  const isThere = profile.profile_video !== null
  const { check, error } = useNeededFile(
    choice === '0' && !isThere,
    'Upload your video, or choose another way.',
  )
  return (
    <StepForm
      form={form}
      draft={draft}
      check={check}
      questionOf={(values) => (isThere && values.video_choice !== '0' ? deletionOf(values) : undefined)}
      save={{
        endpoint: 'PUT /therapist/update-profile',
        bodyOf: ({ video_choice, video_url_link, video_transcript }) => ({
          video_choice: Number(video_choice),
          ...(video_choice === '2' ? { video_url_link } : {}),
          ...(video_choice === '0' || video_choice === '2' ? { video_transcript } : {}),
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
                <VideoPlayer
                  src={profile.profile_video}
                  name="Your introduction"
                  captions={profile.profile_video_captions}
                  className="mt-2 w-full max-w-md rounded-md"
                />
              </PresentFile>
            )
          }
          error={error}
        />
      )}
      {choice === '2' && (
        <TextField
          label="Link to your video"
          type="url"
          inputMode="url"
          placeholder="https://www.youtube.com/watch?v="
          {...limitedField(form, 'PUT /therapist/update-profile', 'video_url_link', {
            validate: (link, { video_choice }) =>
              video_choice !== '2' ||
              (link.trim() === ''
                ? 'Enter the link to your video.'
                : videoIdOf(link.trim()) !== undefined || videoLinkRefusal),
          })}
        />
      )}
      {((choice === '0' && isThere) || choice === '2') && (
        <section aria-labelledby="captions-title" className="flex flex-col gap-5">
          <div>
            <h2 id="captions-title" className="text-xl">
              For people who cannot hear it
            </h2>
            <p className="mt-1 text-soft">
              {choice === '0'
                ? 'Add captions as a file, or write down what you say. Either will do.'
                : 'YouTube can show captions of its own. You can also write down what you say.'}
            </p>
          </div>
          {choice === '0' && (
            <UploadField
              label="Captions"
              kind="captions"
              endpoint="POST /therapist/upload-video-captions"
              field="captions"
              present={profile.profile_video_captions && <PresentCaptions />}
            />
          )}
          <TextArea
            label="What you say, in words"
            isOptional
            rows={6}
            {...limitedField(form, 'PUT /therapist/update-profile', 'video_transcript')}
          />
        </section>
      )}
    </StepForm>
  )
}

/** An uploaded video is deleted with its captions for every other choice. */
const deletionOf = ({ video_choice }: { video_choice: string }): StepQuestion => ({
  title: 'Delete your video?',
  confirmLabel: 'Delete the video',
  cancelLabel: 'Keep the video',
  isDangerous: true,
  children: (
    <p>
      {video_choice === '2'
        ? 'Your profile will show the video of the link. The one that is here is deleted with its captions'
        : 'The video that is here is deleted with its captions and what you wrote down of it'}
      , and cannot be brought back.
      {video_choice === '1' && ' Your profile shows no video until the new one is made.'}
    </p>
  ),
})

/** Captions that are there, to be seen in the player above, and their removal. */
function PresentCaptions() {
  const { ifMatch, isSending } = useStepPlace()
  const keep = useKeepPart()
  const [isAsking, setAsking] = useState(false)
  const remove = useAction('DELETE /therapist/video-captions', { onDone: keep })
  return (
    <PresentFile title="Your captions are here">
      <p>Play the video above to see them.</p>
      <Button variant="quiet" size="small" className="-ml-4" onPress={() => setAsking(true)}>
        Remove the captions
      </Button>
      {isAsking && (
        <ActionDialog
          onClose={() => setAsking(false)}
          title="Remove the captions?"
          confirmLabel="Remove"
          cancelLabel="Keep them"
          isDangerous
          failureTitle="The captions are still here"
          onConfirm={async () => {
            if (isSending) throw new BrowserError(fileOnItsWay)
            await remove.send({ ifMatch })
          }}
        >
          <p>
            People who are deaf or hard of hearing can then no longer follow it. You can upload the file
            again.
          </p>
        </ActionDialog>
      )}
    </PresentFile>
  )
}
