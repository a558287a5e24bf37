import { useId } from 'react'
import type { PastSession } from '#contract/reviews.ts'
import { formatPounds } from '#web/lib/money.ts'
import { profileOfBooked } from '#web/lib/profile-path.ts'
import { hasKeepableHour, keepHourPath } from '#web/lib/series-paths.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { formatDay, formatTimeRange, viewerZone } from '#web/lib/time.ts'
import { AbsenceClaim } from '#web/ui/AbsenceClaim.tsx'
import { PractitionerClock } from '#web/ui/SessionClocks.tsx'
import { SessionOutcome } from '#web/ui/SessionOutcome.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { OwnReviewBlock } from './OwnReviewBlock.tsx'

type Props = {
  session: PastSession
  onReview(): void
  onWithdraw(): void
  onDispute(): void
  /** Reads the sessions anew. */
  onRefunded(): Promise<unknown>
}

/** One session that is over: what became of it, and what its client says of it. */
export function PastSessionCard({ session, onReview, onWithdraw, onDispute, onRefunded }: Props) {
  const headingId = useId()
  const { practitioner, starts_at, ends_at, review, reviewable } = session
  const zone = viewerZone()
  return (
    <Card as="li" aria-labelledby={headingId} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <Portrait name={practitioner.full_name} image={practitioner.main_image} size={56} shape="arch" />
        <div className="min-w-0 grow basis-40">
          <h2 id={headingId} className="text-xl">
            {practitioner.bookable ? (
              <TextLink to={profileOfBooked(session)} tone="plain">
                {practitioner.full_name}
              </TextLink>
            ) : (
              practitioner.full_name
            )}
          </h2>
          {starts_at && ends_at && (
            <p className="text-soft">
              <TextLink to={sessionPath(session.appointment_id)}>
                <span className="unbroken">{formatDay(starts_at, zone)},</span>{' '}
                <span className="unbroken tabular-nums">{formatTimeRange(starts_at, ends_at, zone)}</span>
              </TextLink>
              <PractitionerClock
                startsAt={starts_at}
                endsAt={ends_at}
                zone={practitioner.timezone}
                className="text-sm"
              />
            </p>
          )}
          <p className="text-sm text-soft">
            {session.services.map((service) => service.service_name).join(', ')},{' '}
            <span className="tabular-nums">{formatPounds(session.fee)}</span>
          </p>
        </div>
      </div>
      <SessionOutcome session={session} />
      <AbsenceClaim session={session} onDone={onRefunded} />
      {session.no_show?.can_dispute && (
        <div>
          <Button variant="secondary" onPress={onDispute} aria-describedby={headingId}>
            That is not right
          </Button>
        </div>
      )}
      {review && (
        <OwnReviewBlock review={review} onEdit={onReview} onWithdraw={onWithdraw} headingId={headingId} />
      )}
      {(reviewable || practitioner.bookable) && (
        <div className="flex flex-wrap gap-3">
          {reviewable && (
            <Button variant="secondary" onPress={onReview} aria-describedby={headingId}>
              Review this session
            </Button>
          )}
          {practitioner.bookable && session.status === 'completed' && hasKeepableHour(session) && (
            <ButtonLink
              to={keepHourPath(session.appointment_id)}
              variant="secondary"
              aria-describedby={headingId}
            >
              Keep this hour
            </ButtonLink>
          )}
          {practitioner.bookable && (
            <ButtonLink
              to={`${profileOfBooked(session)}#book`}
              variant="secondary"
              aria-label={`Book again with ${practitioner.full_name}`}
            >
              Book again
            </ButtonLink>
          )}
        </div>
      )}
    </Card>
  )
}

/** In the shape of a session. */
export function PastSessionLoading() {
  return (
    <Card className="flex gap-4">
      <Skeleton className="size-14 rounded-t-full rounded-b-lg" />
      <div className="flex grow flex-col gap-2 pt-1">
        <Skeleton className="h-6 w-48" />
        <Skeleton className="h-5 w-64" />
        <Skeleton className="h-4 w-40" />
      </div>
    </Card>
  )
}
