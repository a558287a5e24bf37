import { useQuery } from '@tanstack/react-query'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { subscriptionPath } from './billing-labels.ts'
import { videoQuery } from './subscription-queries.ts'

/** On the dashboard while a video order waits for the practitioner; nothing otherwise. */
export function VideoOrderAlert({ className }: { className?: string }) {
  const { data } = useQuery(videoQuery())
  const progress = data?.progress
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
