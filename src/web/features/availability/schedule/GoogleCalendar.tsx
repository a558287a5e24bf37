import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { GoogleCalendar as Known } from '#contract/calendars.ts'
import { formatDay, formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { GoogleConsent } from './GoogleConsent.tsx'
import { googleCalendarQuery } from './schedule-queries.ts'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'

/**
 * The practitioner's own Google Calendar: sessions are written to it, and it keeps times free that are taken there. Absent
 * where the product cannot connect one.
 */
export function GoogleCalendar() {
  const [open, setOpen] = useState<'consent' | 'leave'>()
  const query = useQuery({
    ...googleCalendarQuery(),
    refetchOnWindowFocus: 'always',
    // Consent is given in another tab, and leave is taken by a job.
    refetchInterval: ({ state: { data: known } }) => {
      const isAtGoogle = open === 'consent' && known?.status !== 'connected'
      return isAtGoogle || known?.status === 'leaving' ? 3000 : false
    },
  })
  const { data, error } = query
  const hasConnected = open === 'consent' && data?.status === 'connected'

  if (!data) {
    return (
      <Frame>
        {error ? (
          <QueryErrorAlert title="This did not load" query={query} />
        ) : (
          <Loading label="Loading your Google Calendar" skeleton="h-24" />
        )}
      </Frame>
    )
  }
  if (!data.available && data.status === 'none') return null
  const canConnect = data.available && (data.status === 'none' || data.status === 'ended')
  return (
    <Frame>
      <div aria-live="polite" className="flex flex-col gap-4">
        <Words known={data} hasConnected={hasConnected} />
      </div>
      <div className="flex flex-wrap gap-3 empty:hidden">
        {canConnect && (
          <Button variant="secondary" onPress={() => setOpen('consent')}>
            {data.status === 'ended' ? 'Connect it again' : 'Connect Google Calendar'}
          </Button>
        )}
        {(data.status === 'connected' || data.status === 'ended') && (
          <Button variant={canConnect ? 'quiet' : 'secondary'} onPress={() => setOpen('leave')}>
            Disconnect Google Calendar
          </Button>
        )}
      </div>
      {open === 'consent' && !hasConnected && <GoogleConsent onClose={() => setOpen(undefined)} />}
      {open === 'leave' && <Leave known={data} onClose={() => setOpen(undefined)} />}
    </Frame>
  )
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-4">
      <h3 className="text-lg">Google Calendar</h3>
      {children}
    </div>
  )
}

function Words({ known, hasConnected }: { known: Known; hasConnected: boolean }) {
  const zone = viewerZone()
  if (known.status === 'leaving') {
    return (
      <p>
        Disconnected. We are removing the calendar “Hearth” from {known.email} and ending our access.
        {known.reading_fails && ' Google is not answering at the moment; we will keep trying for three days.'}
      </p>
    )
  }
  if (known.status === 'ended') {
    return (
      <Alert tone="warning" title="No longer connected">
        {known.ended_why === 'removed'
          ? `The calendar “Hearth” in ${known.email} is no longer there.`
          : `Google no longer lets us use the calendar of ${known.email}.`}{' '}
        New sessions are not added to it, and what you enter there no longer stops clients from booking. Times
        we had already read stay blocked until they have passed.
      </Alert>
    )
  }
  if (known.status === 'connected') {
    return (
      <>
        {hasConnected && (
          <Alert tone="success" title="Your Google Calendar is connected">
            Your sessions are being added to the calendar “Hearth” there.
          </Alert>
        )}
        <p>
          Connected as <strong className="font-semibold wrap-anywhere">{known.email}</strong>
          {known.connected_at && ` since ${formatDay(known.connected_at, zone)}`}.
          <span className="block text-sm text-soft">
            {known.read_at
              ? `Busy times last read ${formatDayAndTime(known.read_at, zone)}.`
              : 'Busy times are being read for the first time.'}
          </span>
        </p>
        {known.reading_fails && (
          <Alert tone="warning" title="We cannot read it at the moment">
            We will keep trying. Until then we go by what we last read, and clients can go on booking.
          </Alert>
        )}
      </>
    )
  }
  return (
    <p className="text-soft">
      Sessions appear in their own calendar there, and clients cannot book times when your main calendar is
      busy.
    </p>
  )
}

function Leave({ known, onClose }: { known: Known; onClose(): void }) {
  const leave = useAction('DELETE /therapist/google-calendar', {
    invalidates: [googleCalendarQuery().queryKey],
  })

  return (
    <ActionDialog
      onClose={onClose}
      title="Disconnect Google Calendar?"
      confirmLabel="Disconnect"
      cancelLabel="Keep it"
      isDangerous
      onConfirm={leave.send}
      failureTitle="That was not changed"
    >
      <p>
        {known.status === 'ended' && known.ended_why === 'revoked'
          ? `We delete what we have read. We no longer have access, so you will need to remove the calendar “Hearth” in ${known.email} yourself.`
          : `The calendar “Hearth” is removed from ${known.email}, our access ends, and we delete what we have read.`}
      </p>
      <p>
        Your sessions on Hearth stay as they are. Times that are taken only in your own calendar can be booked
        from now on.
      </p>
    </ActionDialog>
  )
}
