import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../lib/api-error.ts'
import { Button } from './Button.tsx'
import { Alert } from './Alert.tsx'

/** A video that is not public, by a link that is asked for when it is to be watched and runs out after a while. */
export function PrivateVideo({
  name,
  fetchLink,
}: {
  /** What a screen reader hears: 'Introduction by Priya Patel'. */
  name: string
  fetchLink(): Promise<{ url: string }>
}) {
  const [url, setUrl] = useState<string>()
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const video = useRef<HTMLVideoElement>(null)

  // The button that was pressed is gone: the player in its place has the focus.
  useEffect(() => {
    if (url) video.current?.focus()
  }, [url])

  async function show(): Promise<void> {
    setPending(true)
    setFailure(undefined)
    try {
      setUrl((await fetchLink()).url)
    } catch (thrown) {
      setFailure(thrown)
    } finally {
      setPending(false)
    }
  }

  return (
    <div className="flex flex-col gap-3">
      {failure !== undefined && (
        <Alert tone="danger" live="assertive" title="The video did not load">
          {messageOf(failure)}
        </Alert>
      )}
      {url ? (
        <video
          ref={video}
          controls
          preload="metadata"
          src={url}
          aria-label={name}
          className="aspect-video w-full max-w-xl rounded-lg border border-line bg-sunken"
          onError={() => {
            setUrl(undefined)
            setFailure(new Error('The player has failed.'))
          }}
        >
          <track kind="captions" />
        </video>
      ) : (
        <div>
          <Button
            variant="secondary"
            size="small"
            aria-label={`Watch the video: ${name}`}
            isPending={isPending}
            pendingLabel="Loading"
            onPress={() => void show()}
          >
            <IconPlayerPlayFilled aria-hidden size={18} />
            Watch the video
          </Button>
        </div>
      )}
    </div>
  )
}
