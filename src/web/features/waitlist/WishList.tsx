import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import type { SearchWish } from '#contract/waitlist/waitlist.ts'
import { serverNow } from '#web/lib/clock.ts'
import { focusLate } from '#web/lib/focus-late.ts'
import { formatDay, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { wishesQuery } from './waitlist-queries.ts'

type Props = {
  /** A search in a few words. */
  wordsOf(filters: SearchWish['filters']): string
  /** The link to the results. */
  renderLink(filters: SearchWish['filters'], words: string): ReactNode
}

/** The client's search wishes, each with the way to remove it. */
export function WishList({ wordsOf, renderLink }: Props) {
  const query = useQuery(wishesQuery())
  const { data, error } = query
  const list = useRef<HTMLDivElement>(null)
  const remove = useAction('DELETE /search-wishes/{id}', {
    invalidates: [wishesQuery().queryKey],
    onDone() {
      showToast('We will not email you about this search any more.')
      // The button that was pressed has left with its line.
      focusLate(list.current)
    },
  })
  const removing = remove.isPending ? remove.input?.[0].params.id : undefined
  if (!data) {
    if (error) return <QueryErrorAlert title="Your searches did not load" query={query} />
    return <Loading label="Loading your searches" skeleton="h-20 rounded-xl" />
  }
  return (
    <div ref={list} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      <ErrorAlert title="That search is still there" error={remove.error} />
      {data.length === 0 ? (
        <p className="text-soft">
          When a search finds nobody, choose “Tell me by email” there. It then appears here.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-surface shadow-low">
          {data.map((wish) => (
            <li key={wish.wish_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
              <span className="min-w-44 grow basis-0">
                <span className="block">{renderLink(wish.filters, wordsOf(wish.filters))}</span>
                <span className="block text-sm text-soft">
                  {wish.last_notified_at &&
                    `Last email on ${formatDay(wish.last_notified_at, viewerZone(), serverNow())}. `}
                  Until {formatDay(wish.ends_at, viewerZone(), serverNow())}
                </span>
              </span>
              <Button
                variant="secondary"
                size="small"
                aria-label={`Remove the search for ${wordsOf(wish.filters)}`}
                isPending={removing === wish.wish_id}
                isDisabled={removing !== undefined && removing !== wish.wish_id}
                onPress={() => remove.start({ params: { id: wish.wish_id } })}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
