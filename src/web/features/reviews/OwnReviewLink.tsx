import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sessionPath } from '#web/lib/session-paths.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { ownReviewsQuery } from './review-queries.ts'

type Props = { reviewId: number; practitionerId: number; children: ReactNode }

/** On a profile, whose page does not know its reader: a client's own review leads to its session. Others render `children`. */
export default function OwnReviewLink({ reviewId, practitionerId, children }: Props) {
  const { data, isPending } = useQuery(ownReviewsQuery(practitionerId))
  if (isPending) return null
  const own = data?.find(({ review_id }) => review_id === reviewId)
  if (!own) return children
  return (
    <TextLink to={sessionPath(own.appointment_id)} className="tappable text-sm print:hidden">
      Your review
    </TextLink>
  )
}
