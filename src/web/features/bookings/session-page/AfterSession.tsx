import type { PastSession } from '#contract/reviews.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { SessionOutcome } from '#web/ui/SessionOutcome.tsx'
import { profileOfBooked } from '#web/lib/profile-path.ts'
import { hasKeepableHour, keepHourPath } from '#web/lib/series-paths.ts'
import type { Act, ClientParts } from './client-parts.ts'

type Props = Pick<ClientParts, 'renderOwnReview'> & {
  session: PastSession
  onAsk(act: Act): void
}

/** After a session, what became of it, what its client says of it and what they may do. */
export default function AfterSession({ session, onAsk, renderOwnReview }: Props) {
  const { practitioner, status, review, reviewable, no_show } = session
  return (
    <section aria-labelledby="after-title" className="flex flex-col gap-3">
      <h2 id="after-title" className="text-lg">
        {status === 'cancelled' || status === 'no_show' ? 'What became of it' : 'After your session'}
      </h2>
      <SessionOutcome session={session} />
      {no_show?.can_dispute && (
        <Button className="self-start" onPress={() => onAsk('dispute')}>
          That is not right
        </Button>
      )}
      {review &&
        renderOwnReview({
          review,
          headingId: 'after-title',
          onEdit: () => onAsk('review'),
          onWithdraw: () => onAsk('withdraw'),
        })}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {reviewable && <Button onPress={() => onAsk('review')}>Review this session</Button>}
        {practitioner.bookable && (
          <ButtonLink to={`${profileOfBooked(session)}#book`} variant="secondary">
            {status === 'cancelled' ? 'Choose another time' : 'Book again'}
          </ButtonLink>
        )}
        {practitioner.bookable && status === 'completed' && hasKeepableHour(session) && (
          <ButtonLink to={keepHourPath(session.appointment_id)} variant="secondary">
            Keep this hour every week
          </ButtonLink>
        )}
      </div>
    </section>
  )
}
