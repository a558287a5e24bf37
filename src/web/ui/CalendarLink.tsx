import { type ReactNode, useId, useState } from 'react'
import type { CalendarFeed } from '#contract/bookings/calendar-feeds.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { formatDay, formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { Button } from './Button.tsx'
import { buttonLook } from './button-look.ts'
import { Alert } from './Alert.tsx'
import { TextField } from './TextField.tsx'

type Props = {
  feed: CalendarFeed
  /** What one gets from it. */
  lead: ReactNode
  /** Says what the link shows to its holder. */
  warning: string
  connectLabel: string
  /** Creates a new link and returns it. @throws ApiError */
  onConnect(): Promise<string>
  /** @throws ApiError */
  onDisconnect(): Promise<void>
}

/** A secret link by which any calendar program reads one's sessions. */
export function CalendarLink({ feed, lead, warning, connectLabel, onConnect, onDisconnect }: Props) {
  const [url, setUrl] = useState<string>()
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function act(work: () => Promise<string | undefined>): Promise<void> {
    setPending(true)
    setProblem(undefined)
    try {
      setUrl(await work())
    } catch (failure) {
      setProblem(messageOf(failure))
    } finally {
      setPending(false)
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <p className="text-soft">{lead}</p>
      <div aria-live="polite" className="flex flex-col gap-4 empty:hidden">
        {url ? <NewLink url={url} warning={warning} /> : feed.connected && <Connected feed={feed} />}
      </div>
      {problem && (
        <Alert tone="danger" live="assertive" title="That did not work">
          {problem}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" isPending={isPending} onPress={() => void act(onConnect)}>
          {feed.connected ? 'Make a new link' : connectLabel}
        </Button>
        {feed.connected && (
          <Button
            variant="quiet"
            isDisabled={isPending}
            onPress={() =>
              void act(async () => {
                await onDisconnect()
                return undefined
              })
            }
          >
            Disconnect
          </Button>
        )}
      </div>
    </div>
  )
}

function Connected({ feed }: { feed: CalendarFeed }) {
  const zone = viewerZone()
  return (
    <p>
      Connected since {feed.created_at && formatDay(feed.created_at, zone)}.{' '}
      {feed.read_at
        ? `Last read ${formatDayAndTime(feed.read_at, zone)}.`
        : 'No calendar has read it so far.'}
      <span className="block text-sm text-soft">A new link ends the one before.</span>
    </p>
  )
}

/** Shown this once, as only a digest of it is kept. */
function NewLink({ url, warning }: { url: string; warning: string }) {
  const id = useId()
  const [isCopied, setCopied] = useState(false)
  return (
    <>
      <Alert tone="success" title="Your link is ready">
        Add it to your calendar app as a subscribed calendar. It is shown this once, and {warning}
      </Alert>
      <TextField
        id={id}
        label="Link for your calendar app"
        readOnly
        value={url}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className="flex flex-wrap gap-3">
        <Button
          size="small"
          variant="secondary"
          onPress={() =>
            void navigator.clipboard.writeText(url).then(
              () => setCopied(true),
              // Without leave to write there, it can be copied by hand.
              () => document.getElementById(id)?.focus(),
            )
          }
        >
          {isCopied ? 'Copied' : 'Copy link'}
        </Button>
        <a
          href={url.replace(/^https?:/, 'webcal:')}
          className={buttonLook({ size: 'small', variant: 'secondary' })}
        >
          Open in calendar app
        </a>
      </div>
    </>
  )
}
