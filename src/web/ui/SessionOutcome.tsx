import type { ReactNode } from 'react'
import type { PastSession } from '#contract/reviews.ts'
import { cancelledLabel } from '#web/lib/cancelled-label.ts'
import { returnedMoneyLabel } from '#web/lib/returned-money.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { ContactLink } from './ContactLink.tsx'

/** What became of a client's session that is over, where that is not plain: one that took place needs no words. */
export function SessionOutcome({ session }: { session: PastSession }) {
  const { status, practitioners_reason } = session
  const returned = returnedMoneyLabel(session)
  if (status === 'confirmed') {
    // A session to which the practitioner did not come, or that is being checked, may never count as completed.
    if (session.nobody_came || session.frozen_until !== null) return null
    return <Words>You can review it once it counts as completed: a day after its end at the latest.</Words>
  }
  if (status === 'no_show') {
    return (
      <>
        <NoShowWords session={session} />
        {returned && <Words>{returned}</Words>}
      </>
    )
  }
  if (status !== 'cancelled') return returned ? <Words>{returned}</Words> : null
  return (
    <>
      <Words>
        {cancelledLabel(session)}
        {returned && ` ${returned}`}
      </Words>
      {practitioners_reason && (
        <blockquote className="border-l-2 border-line pl-4 text-pretty whitespace-pre-line">
          {practitioners_reason}
        </blockquote>
      )}
    </>
  )
}

/** That the client is said not to have come, and where a dispute about it stands. */
function NoShowWords({ session: { no_show, practitioner, refund } }: { session: PastSession }) {
  const noted = `${practitioner.first_name} recorded that you did not come, so ${refund ? 'nothing more is refunded and it' : 'it is not refunded and'} cannot be reviewed.`
  const until = no_show && formatDayAndTime(no_show.dispute_until, viewerZone())
  if (no_show?.state === 'disputed') {
    return (
      <>
        <Words>
          {practitioner.first_name} recorded that you did not come, and you have disputed it. We will write to
          you as soon as we have decided. Until then we hold the money.
        </Words>
        {no_show.your_words && (
          <blockquote className="border-l-2 border-line pl-4 text-pretty whitespace-pre-line">
            {no_show.your_words}
          </blockquote>
        )}
      </>
    )
  }
  if (no_show?.state === 'upheld') {
    return (
      <Words>
        {noted} You disputed it; we have looked into it, and what {practitioner.first_name} recorded stays. If
        we missed something, write to <ContactLink />.
      </Words>
    )
  }
  return (
    <Words>
      {noted} {no_show?.can_dispute && `If that is not right, you can dispute it until ${until}.`}
    </Words>
  )
}

const Words = ({ children }: { children: ReactNode }) => <p className="text-soft">{children}</p>
