import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { CalendarFeed } from '#contract/schedule.ts'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { formatDay, formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { Button } from '#web/ui/Button.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { calendarFeedQuery } from './schedule-queries.ts'

/** The practitioner's sessions in their own calendar, by a secret link. */
export function CalendarApp() {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery(calendarFeedQuery())
  const [url, setUrl] = useState<string>()
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function act(work: () => Promise<string | undefined>): Promise<void> {
    setPending(true)
    setProblem(undefined)
    try {
      setUrl(await work())
      await client.invalidateQueries({ queryKey: calendarFeedQuery().queryKey })
    } catch (failure) {
      setProblem(messageOf(failure))
    } finally {
      setPending(false)
    }
  }
  const connect = () => act(async () => (await callApi('POST /therapist/calendar-feed')).url)
  const disconnect = () =>
    act(async () => {
      await callApi('DELETE /therapist/calendar-feed')
      return undefined
    })

  if (!data) {
    return error ? (
      <Notice
        tone="danger"
        title="This did not load"
        actions={
          <Button variant="secondary" size="small" isPending={isFetching} onPress={() => void refetch()}>
            Try again
          </Button>
        }
      >
        {messageOf(error)}
      </Notice>
    ) : (
      <Loading label="Loading your calendar app">
        <Skeleton className="h-24" />
      </Loading>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-soft">
        See your booked sessions in Google Calendar, Apple Calendar or Outlook. Your app asks for changes by
        itself, some only every few hours.
      </p>
      <div aria-live="polite" className="flex flex-col gap-4 empty:hidden">
        {url ? <NewLink url={url} /> : data.connected && <Connected feed={data} />}
      </div>
      {problem && (
        <Notice tone="danger" live="assertive" title="That did not work">
          {problem}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" isPending={isPending} onPress={() => void connect()}>
          {data.connected ? 'Make a new link' : 'Connect calendar app'}
        </Button>
        {data.connected && (
          <Button variant="quiet" isDisabled={isPending} onPress={() => void disconnect()}>
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
function NewLink({ url }: { url: string }) {
  const id = useId()
  const [isCopied, setCopied] = useState(false)
  return (
    <>
      <Notice tone="success" title="Your link is ready">
        Add it to your calendar app as a subscribed calendar. It is shown this once, and whoever has it can
        see the times of your sessions and your clients’ first names.
      </Notice>
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
