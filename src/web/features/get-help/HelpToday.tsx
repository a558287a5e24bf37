import { useEffect } from 'react'
import type { HelpRequests } from '#contract/get-help/get-help.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { formatPounds } from '#web/lib/money.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { formatTimeRange, viewerZone } from '#web/lib/time.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { Section } from '#web/ui/Section.tsx'
import { lookForRequests, useHelpRequests } from './help-requests.ts'
import { playOfferSound, useOfferSound } from './offer-sound.ts'

/** Today's sessions of help right now, what they have earned, and how one hears of the next. */
export function HelpToday() {
  const { requests, error } = useHelpRequests()
  useEffect(() => void lookForRequests(), [])
  return (
    <Section title="Help right now, today" isCard className="flex flex-col gap-4">
      {requests ? (
        <Today requests={requests} />
      ) : error ? (
        <Alert
          tone="danger"
          title="This did not load"
          actions={
            <Button size="small" variant="secondary" onPress={() => void lookForRequests()}>
              Try again
            </Button>
          }
        >
          {messageOf(error)}
        </Alert>
      ) : (
        <Loading label="Loading today’s requests" className="flex flex-col gap-3">
          <Skeleton className="h-6 w-2/3" />
          <Skeleton className="h-12" />
        </Loading>
      )}
      <SoundSwitch />
    </Section>
  )
}

function Today({ requests: { open, today } }: { requests: HelpRequests }) {
  const zone = viewerZone()
  return (
    <>
      {open.length > 0 && (
        <p className="rounded-lg bg-ember-soft p-4 font-semibold">
          {open.length === 1 ? '1 client waits' : `${open.length} clients wait`} for your answer.
        </p>
      )}
      {today.sessions.length === 0 ? (
        <p className="text-soft">
          No sessions yet today. While you are available, a request appears on whatever page you are on, and
          you have two minutes to accept.
        </p>
      ) : (
        <>
          <ul className="divide-y divide-line">
            {today.sessions.map((session) => (
              <li key={session.appointment_id} className="flex items-start justify-between gap-4 py-2.5">
                <span className="min-w-0">
                  <span className="block">
                    <span className="font-semibold tabular-nums">
                      {formatTimeRange(session.starts_at, session.ends_at, zone)}
                    </span>{' '}
                    {session.client_name}
                  </span>
                  {session.issue && (
                    <span className="block text-sm text-soft">{session.issue.issue_name}</span>
                  )}
                  <TextLink to={sessionPath(session.appointment_id)} className="tappable">
                    Open the session<span className="sr-only"> with {session.client_name}</span>
                  </TextLink>
                </span>
                <span className="tabular-nums">
                  {session.status === 'cancelled' ? 'Cancelled' : formatPounds(session.owed)}
                  {session.status !== 'cancelled' && session.owed < session.fee && (
                    <span className="block text-right text-sm text-soft">refunded in part or whole</span>
                  )}
                </span>
              </li>
            ))}
          </ul>
          <p className="flex items-baseline justify-between gap-4 border-t border-line pt-3">
            <span>Earned today</span>
            <span className="font-serif text-xl tabular-nums">{formatPounds(today.earned)}</span>
          </p>
        </>
      )}
      {today.missed > 0 && (
        <p className="text-sm text-soft">
          {today.missed === 1 ? '1 request' : `${today.missed} requests`} ran out without an answer. If you
          cannot answer, turn off “Available now”, and clients are sent to others.
        </p>
      )}
    </>
  )
}

function SoundSwitch() {
  const [isOn, turn] = useOfferSound()
  return (
    <div className="border-t border-line pt-4">
      <Switch
        isOn={isOn}
        onChange={(event) => {
          turn(event.currentTarget.checked)
          // Heard as it will sound, and only where it may.
          if (event.currentTarget.checked) playOfferSound()
        }}
        description="When a client asks. Browsers allow it once you have clicked on a page after opening it."
      >
        Play a sound
      </Switch>
    </div>
  )
}
