import type { PractitionerAhead } from '#contract/back-office/back-office.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { formatPounds } from '#web/lib/money.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { aheadLabel } from './admin-labels.ts'

/** So many sessions are named before the rest is counted. */
const named = 5

/** What suspending or closing a profile touches, in words. */
export function Touched({ ahead, error }: { ahead: PractitionerAhead | undefined; error: unknown }) {
  if (!ahead) {
    return error ? (
      <Alert tone="warning" title="We could not load what this affects">
        {messageOf(error)} You can still go on.
      </Alert>
    ) : (
      <Loading label="Checking what this affects" skeleton="h-24 rounded-lg" />
    )
  }
  const { sessions, total, at_once: atOnce, money, pending, offers } = ahead
  const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`
  const rest = total - Math.min(named, sessions.length)
  return (
    <section aria-labelledby="touched" className="flex flex-col gap-2 rounded-lg bg-sunken p-4 text-sm">
      <h3 id="touched" className="text-base font-semibold">
        What this affects
      </h3>
      {total + pending + offers === 0 && <p>No sessions, bookings or requests.</p>}
      {total > 0 && (
        <>
          <p>
            {count(total, 'session', 'sessions')} ahead, {formatPounds(money)} paid.
            {atOnce > 0 &&
              ` ${count(atOnce, 'begins', 'begin')} within two hours or has begun, and is cancelled at once.`}
          </p>
          <ul className="flex list-disc flex-col ps-5">
            {sessions.slice(0, named).map((session) => (
              <li key={session.appointment_id}>{aheadLabel(session)}</li>
            ))}
            {rest > 0 && <li>and {rest} more</li>}
          </ul>
          {sessions.some(({ unpaid }) => unpaid > 0) && (
            <p>No card is charged for a session that is not paid yet, unless the session is restored.</p>
          )}
        </>
      )}
      {pending > 0 && <p>{count(pending, 'booking that is', 'bookings that are')} not paid yet: ended.</p>}
      {offers > 0 && (
        <p>{count(offers, 'request', 'requests')} for help right now: passed on to the next practitioner.</p>
      )}
    </section>
  )
}
