import { searchWishesPerClient } from '#contract/waitlist/waitlist-limits.ts'
import type { SearchWish } from '#contract/waitlist/waitlist.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatDay, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { foundTherapistsPath } from '#web/lib/site.ts'
import { ownWaitlistPath } from '#web/lib/waitlist-path.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { wishesQuery } from './waitlist-queries.ts'

type Props = {
  /** What was searched for; undefined while it is loading. */
  search: { words: string; filters: Record<string, string>; path: string } | undefined
  /** The same search, if it is kept already. */
  kept: SearchWish | undefined
  onKept(): void
}

/** Asks whether to keep a search without results as a wish. */
export function WishPage({ search, kept, onKept }: Props) {
  const keep = useAction('POST /search-wishes', {
    invalidates: [wishesQuery().queryKey],
    onDone() {
      showToast('We will email you when somebody matches.')
      onKept()
    },
  })
  const isEmpty = search && Object.keys(search.filters).length === 0
  return (
    <div className="page max-w-2xl pb-16">
      <PageHeading
        title="Tell me by email"
        lead="We keep looking for you, and write when somebody matches."
      />
      <Card as="section" className="flex flex-col gap-5">
        {!search ? (
          <Loading label="Loading your search" skeleton="h-16" />
        ) : isEmpty ? (
          <>
            <p>Search with some filters first. If nobody matches, you can ask us to look out for you.</p>
            <div>
              <ButtonLink to={foundTherapistsPath}>Find a Therapist</ButtonLink>
            </div>
          </>
        ) : (
          <>
            {search.words && (
              <p>
                <span className="block text-sm text-soft">You searched for</span>
                <strong className="text-lg font-semibold">{search.words}</strong>
              </p>
            )}
            {kept && (
              <Alert title="We are already looking out for this">
                Until {formatDay(kept.ends_at, viewerZone(), serverNow())} we write when somebody matches.
              </Alert>
            )}
            <p className="text-soft">
              At most one email in 3 days, for 60 days. It does not say what you searched for. You can have{' '}
              {searchWishesPerClient} of these, and <TextLink to={ownWaitlistPath}>remove them</TextLink> at
              any time.
            </p>
            <ErrorAlert title="That was not saved" error={keep.error} />
            <div className="flex flex-wrap gap-3">
              {kept ? (
                <ButtonLink to={ownWaitlistPath}>See what we look out for</ButtonLink>
              ) : (
                <Button
                  isPending={keep.isPending}
                  pendingLabel="Saving"
                  onPress={() => keep.start({ body: { filters: search.filters } })}
                >
                  Tell me by email
                </Button>
              )}
              <ButtonLink variant="quiet" to={search.path}>
                Back to the search
              </ButtonLink>
            </div>
          </>
        )}
      </Card>
    </div>
  )
}
