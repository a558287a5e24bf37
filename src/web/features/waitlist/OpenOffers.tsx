import { IconCalendarPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { serverNow } from '#web/lib/clock.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { offerPath } from '#web/lib/waitlist-path.ts'
import { QueryErrorItem } from '#web/ui/QueryErrorItem.tsx'
import { TaskLink } from '#web/ui/TaskLink.tsx'
import { offerTermsLabel } from './waitlist-labels.ts'
import { ownWaitlistQuery } from './waitlist-queries.ts'

/** The times that a client's waitlists offer them now. */
export default function OpenOffers() {
  const query = useQuery(ownWaitlistQuery())
  const zone = viewerZone()
  const now = serverNow()
  return (
    <>
      <QueryErrorItem query={query} title="Your waitlists did not load" />
      {query.data?.flatMap(({ practitioner, offers }) =>
        offers.map((offer) => (
          <TaskLink
            key={offer.offer_id}
            to={offerPath(offer.offer_id)}
            icon={<IconCalendarPlus aria-hidden size={22} />}
            note={`${formatDayAndTime(offer.starts_at, zone, now)}. ${offerTermsLabel(offer, zone, now)}`}
          >
            A time has come free with {practitioner.full_name}
          </TaskLink>
        )),
      )}
    </>
  )
}
