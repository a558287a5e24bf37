import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import type { PublicReview } from '#contract/practitioners/practitioners.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { usePlainDisclosure } from '#web/lib/plain-disclosure.ts'
import { Button } from '#web/ui/Button.tsx'
import { Rating } from '#web/ui/Rating.tsx'
import { ReplyBlock } from '#web/ui/ReplyBlock.tsx'

/** Where a review, or the reply to it, can be reported. */
export type RenderReport = (what: { reviewId: number; about: 'review' | 'reply'; whose: string }) => ReactNode

const perPage = 4

const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** What clients wrote, newest first, a few at a time. Without JavaScript all of them can be opened. */
export function Reviews({
  reviews,
  total,
  renderReport,
}: {
  reviews: readonly PublicReview[]
  total: number
  renderReport?: RenderReport
}) {
  const isHydrated = useHydrated()
  const [{ count, focused }, setShown] = useState<{ count: number; focused?: number }>({ count: perPage })
  const firstNew = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (focused !== undefined) firstNew.current?.focus({ preventScroll: true })
  }, [focused])
  const disclosure = useRef<HTMLDetailsElement>(null)
  usePlainDisclosure(disclosure, ({ isOpen, hasFocus }) => {
    if (isOpen) setShown({ count: reviews.length, ...(hasFocus ? { focused: perPage } : {}) })
  })

  if (reviews.length === 0) return <p className="text-soft">No reviews yet.</p>
  const shown = isHydrated ? reviews.slice(0, count) : reviews.slice(0, perPage)
  const hidden = reviews.length - shown.length
  return (
    <>
      <ul className="flex flex-col">
        {shown.map((review, at) => (
          <ReviewItem
            key={review.review_id}
            review={review}
            renderReport={renderReport}
            itemRef={at === focused ? firstNew : undefined}
          />
        ))}
      </ul>
      {hidden > 0 && isHydrated && (
        <Button
          variant="secondary"
          className="mt-4"
          onPress={() => setShown({ count: count + perPage, focused: count })}
        >
          Show {Math.min(perPage, hidden)} more
        </Button>
      )}
      {hidden > 0 && !isHydrated && (
        <details ref={disclosure}>
          <summary className="mt-4 inline-flex min-h-12 cursor-pointer list-none items-center rounded-full border border-edge bg-surface px-6 font-semibold">
            Show {Math.min(perPage, hidden)} more
          </summary>
          <ul className="flex flex-col">
            {reviews.slice(perPage).map((review) => (
              <ReviewItem key={review.review_id} review={review} renderReport={renderReport} />
            ))}
          </ul>
        </details>
      )}
      {hidden === 0 && total > reviews.length && (
        <p className="mt-4 text-sm text-soft">
          These are the newest {reviews.length} of {total} reviews.
        </p>
      )}
    </>
  )
}

type ItemProps = {
  review: PublicReview
  renderReport: RenderReport | undefined
  itemRef?: Ref<HTMLLIElement>
}

function ReviewItem({ review, renderReport, itemRef }: ItemProps) {
  const { review_id: reviewId, reviewer, rating, comment, date, reply } = review
  return (
    <li ref={itemRef} tabIndex={-1} className="border-b border-line py-5 first:pt-0 last:border-b-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{reviewer}</span>
        <span className="text-sm text-soft">{months.format(new Date(date))}</span>
      </p>
      <Rating value={rating} />
      {comment === '' ? (
        <p className="mt-1.5 text-soft">The words were deleted when their writer closed their account.</p>
      ) : (
        <p className="mt-1.5 text-pretty whitespace-pre-line">{comment}</p>
      )}
      {comment !== '' && renderReport?.({ reviewId, about: 'review', whose: `of ${reviewer}` })}
      {reply && (
        <ReplyBlock reply={reply.reply}>
          {renderReport?.({ reviewId, about: 'reply', whose: `to ${reviewer}` })}
        </ReplyBlock>
      )}
    </li>
  )
}
