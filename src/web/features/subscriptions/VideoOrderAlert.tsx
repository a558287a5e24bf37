import { useQuery } from '@tanstack/react-query'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { useFailed } from '#web/ui/use-failed.ts'
import { subscriptionPath } from './billing-labels.ts'
import { videoQuery } from './subscription-queries.ts'

/** On the dashboard while a video order waits for the practitioner, or could not be read; nothing otherwise. */
export function VideoOrderAlert({ className }: { className?: string }) {
  const query = useQuery(videoQuery())
  const failed = useFailed(query)
  if (failed) {
    return (
      <QueryErrorAlert
        query={failed}
        tone="warning"
        live="polite"
        title="Your introduction on video could not be checked"
        {...(className ? { className } : {})}
      />
    )
  }
  const progress = query.data?.progress
  const isUploaded = progress?.state === 'uploaded'
  if (!isUploaded && (progress?.state !== 'dates_proposed' || progress.dates_expired)) return null
  return (
    <Alert
      title={isUploaded ? 'Your video is ready to watch' : 'Choose a date for your video call'}
      actions={
        <ButtonLink to={`${subscriptionPath}#video`} size="small">
          {isUploaded ? 'Watch your video' : 'Choose a date'}
        </ButtonLink>
      }
      {...(className ? { className } : {})}
    >
      {isUploaded
        ? 'It goes on your profile once you approve it.'
        : 'We proposed dates for the introduction video that you ordered.'}
    </Alert>
  )
}
