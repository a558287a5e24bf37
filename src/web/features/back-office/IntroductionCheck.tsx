import type { PractitionerFile } from '#contract/back-office/back-office.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { Transcript, VideoPlayer } from '#web/ui/VideoPlayer.tsx'
import { Section } from '#web/ui/Section.tsx'
import { decisionKeys } from './admin-queries.ts'
import { formatInstant } from './admin-labels.ts'

/** The introduction on video, and whether people who do not hear it can follow it. */
export function IntroductionCheck({ file }: { file: PractitionerFile }) {
  const ask = useAction('POST /admin/practitioners/{id}/ask-for-captions', {
    invalidates: decisionKeys(file.practitioner_id),
    onDone: () => showToast('Captions: asked for. They get an email.'),
  })
  const { video } = file
  if (!video) return null
  const isSilent = video.captions === null && video.transcript === null
  return (
    <Section title="Introduction on video" size="2xl" isCard className="flex flex-col gap-4">
      {video.path && (
        <VideoPlayer
          src={video.path}
          name={`Introduction by ${file.full_name}`}
          captions={video.captions}
          className="aspect-video w-full max-w-xl rounded-lg border border-line bg-sunken"
        />
      )}
      {video.link && (
        <a href={video.link} target="_blank" rel="noreferrer" className="break-all">
          {video.link}
        </a>
      )}
      <p>
        {video.captions ? 'It has captions.' : 'It has no captions.'}{' '}
        {video.transcript ? 'It has a transcript.' : 'It has no transcript.'}
      </p>
      {video.transcript && <Transcript text={video.transcript} />}
      {isSilent && (
        <>
          <ErrorAlert title="Not asked for" error={ask.error} />
          {video.asked_at && <p className="text-soft">Asked for on {formatInstant(video.asked_at)}.</p>}
          {!video.asked_at && file.status !== 'closed' && (
            <Button
              variant="secondary"
              size="small"
              className="self-start"
              isPending={ask.isPending}
              onPress={() => ask.start({ params: { id: file.practitioner_id } })}
            >
              Ask for captions or a transcript
            </Button>
          )}
        </>
      )}
    </Section>
  )
}
