import type { QueryKey } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import type { CalendarFeed } from '#contract/bookings/calendar-feeds.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { formatDay, formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ErrorAlert } from './ErrorAlert.tsx'
import { ActionDialog } from './ActionDialog.tsx'
import { Button } from './Button.tsx'
import { buttonLook } from './button-look.ts'
import { Alert } from './Alert.tsx'
import { LiveRegion } from './LiveRegion.tsx'
import { TextField } from './TextField.tsx'

type Props = {
  feed: CalendarFeed
  /** What one gets from it. */
  lead: ReactNode
  /** Says what the link shows to its holder. */
  warning: string
  connectLabel: string
  accountRole: 'client' | 'therapist'
  /** Of the query for `feed`. */
  queryKey: QueryKey
}

/** A secret link by which any calendar program reads one's sessions. */
export function CalendarLink({ feed, lead, warning, connectLabel, accountRole: role, queryKey }: Props) {
  const [url, setUrl] = useState<string>()
  const [asked, setAsked] = useState<'new link' | 'disconnect'>()
  const [isEnded, setEnded] = useState(false)
  const connect = useAction(`POST /${role}/calendar-feed`, {
    invalidates: [queryKey],
    onDone(made) {
      setEnded(false)
      setUrl(made.url)
    },
  })
  const disconnect = useAction(`DELETE /${role}/calendar-feed`, {
    invalidates: [queryKey],
    onDone: () => setUrl(undefined),
  })
  return (
    <div className="flex flex-col gap-4">
      <p className="text-soft">{lead}</p>
      {/* The button that was pressed leaves with the link. */}
      <LiveRegion focusOn={isEnded || undefined} className="flex flex-col gap-4">
        {url ? (
          <NewLink url={url} warning={warning} />
        ) : feed.connected ? (
          <Connected feed={feed} />
        ) : (
          isEnded && <Alert tone="success">The link is disconnected. Nothing can read by it any more.</Alert>
        )}
      </LiveRegion>
      <ErrorAlert title="That did not work" error={asked ? undefined : connect.error} />
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          isPending={connect.isPending}
          onPress={() => (feed.connected ? setAsked('new link') : connect.start())}
        >
          {feed.connected ? 'Make a new link' : connectLabel}
        </Button>
        {feed.connected && (
          <Button variant="quiet" isDisabled={connect.isPending} onPress={() => setAsked('disconnect')}>
            Disconnect
          </Button>
        )}
      </div>
      {asked && (
        <ActionDialog
          onClose={() => {
            setAsked(undefined)
            // It has been said in the dialog.
            connect.reset()
          }}
          {...questions[asked]}
          cancelLabel="Keep the link"
          onConfirm={async () => {
            await (asked === 'new link' ? connect : disconnect).send()
            setEnded(asked === 'disconnect')
          }}
        >
          <p>{questions[asked].means}</p>
        </ActionDialog>
      )}
    </div>
  )
}

/** What ends a link that calendars may read by. */
const questions = {
  'new link': {
    title: 'Make a new link?',
    confirmLabel: 'Make a new link',
    failureTitle: 'Your link has not changed',
    means:
      'The present link stops working at once. Every calendar that reads by it gets nothing more until you give it the new one.',
  },
  disconnect: {
    title: 'Disconnect your calendar?',
    confirmLabel: 'Disconnect',
    failureTitle: 'Your calendar is still connected',
    means:
      'The link stops working at once. Your sessions stay as they are; calendars that read by it get nothing more.',
  },
} as const

function Connected({ feed }: { feed: CalendarFeed }) {
  const zone = viewerZone()
  return (
    <p>
      Connected since {feed.created_at && formatDay(feed.created_at, zone)}.{' '}
      {feed.read_at ? `Last read ${formatDayAndTime(feed.read_at, zone)}.` : 'No calendar has read it yet.'}
      <span className="block text-sm text-soft">A new link replaces the old one.</span>
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
        Add it to your calendar app as a subscribed calendar. It is shown only once, and {warning}
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
            void copyText(url).then((isDone) => {
              setCopied(isDone)
              // It can be copied by hand.
              if (!isDone) document.getElementById(id)?.focus()
            })
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
