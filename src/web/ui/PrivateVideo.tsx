import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { focusLate } from '#web/lib/focus-late.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ErrorAlert } from './ErrorAlert.tsx'
import { Button } from './Button.tsx'
import { VideoPlayer } from './VideoPlayer.tsx'

/** A video that is not public, by a link that is asked for when it is to be watched and runs out after a while. */
export function PrivateVideo({
  name,
  fetchLink,
}: {
  /** What a screen reader hears: 'Introduction by Priya Patel'. */
  name: string
  fetchLink(): Promise<{ url: string }>
}) {
  const [hasFailed, setFailed] = useState(false)
  const fetch = useAction(fetchLink, { onDone: () => setFailed(false) })
  const url = hasFailed ? undefined : fetch.answer?.url
  const video = useRef<HTMLVideoElement>(null)

  // The button that was pressed is gone: the player in its place has the focus.
  useEffect(() => {
    if (url) focusLate(video.current)
  }, [url])

  return (
    <div className="flex flex-col gap-3">
      <ErrorAlert
        title="The video did not load"
        error={hasFailed && !fetch.isPending ? new Error('The player has failed.') : fetch.error}
      />
      {url ? (
        <VideoPlayer
          ref={video}
          src={url}
          name={name}
          className="aspect-video w-full max-w-xl rounded-lg border border-line bg-sunken"
          onError={() => setFailed(true)}
        />
      ) : (
        <div>
          <Button
            variant="secondary"
            size="small"
            aria-label={`Watch the video: ${name}`}
            isPending={fetch.isPending}
            pendingLabel="Loading"
            onPress={() => fetch.start()}
          >
            <IconPlayerPlayFilled aria-hidden size={18} />
            Watch the video
          </Button>
        </div>
      )}
    </div>
  )
}
