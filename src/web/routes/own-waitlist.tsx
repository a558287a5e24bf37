import { useQuery } from '@tanstack/react-query'
import type { SearchWish } from '#contract/waitlist/waitlist.ts'
import { filtersInWords, optionsOf } from '#web/features/search/active-filters.ts'
import { parseFilters, resultsPath } from '#web/features/search/filters.ts'
import { HowItWorks } from '#web/features/waitlist/HowItWorks.tsx'
import type { Saved } from '#web/features/waitlist/JoinPage.tsx'
import { OwnWaitlist, OwnWaitlistLoading } from '#web/features/waitlist/OwnWaitlist.tsx'
import { knownFiltersQuery, ownWaitlistQuery } from '#web/features/waitlist/waitlist-queries.ts'
import { WishList } from '#web/features/waitlist/WishList.tsx'
import { useHandedOver } from '#web/lib/handed-over.ts'
import { pageTitle } from '#web/lib/site.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { LiveRegion } from '#web/ui/LiveRegion.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Section } from '#web/ui/Section.tsx'

export const meta = () => [{ title: pageTitle('Your waitlists') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page max-w-2xl">
      <Heading />
      <OwnWaitlistLoading />
    </div>
  )
}

export default function OwnWaitlists() {
  const { saved } = useHandedOver<{ saved: Saved }>()
  const { data: entries, isError } = useQuery(ownWaitlistQuery())
  // What was done here since, leaving or pausing it, makes it untrue; a list that does not load does not.
  const isTrueStill =
    isError ||
    !entries ||
    entries.some(
      ({ entry_id: id, paused_by: pausedBy }) =>
        id === saved?.entryId && !(saved.isNew && pausedBy === 'client'),
    )
  const known = useQuery(knownFiltersQuery()).data
  const filtersOf = (filters: SearchWish['filters']) => parseFilters(new URLSearchParams(filters))
  return (
    <div className="page max-w-2xl">
      <Heading />
      <div className="flex flex-col gap-10 pb-16">
        <div className="flex flex-col gap-4">
          <LiveRegion>
            {saved && isTrueStill && (
              <Alert
                tone="success"
                title={saved.isNew ? `You are on the waitlist of ${saved.name}` : 'Your changes are saved'}
              >
                {saved.isNew
                  ? `${saved.place ? `You are ${saved.place}. ` : ''}We email you when a time comes free.`
                  : 'You keep your place.'}
              </Alert>
            )}
          </LiveRegion>
          <OwnWaitlist />
        </div>
        <HowItWorks />
        <Section title="Searches we look out for">
          <p className="mt-1 mb-4 text-soft">
            We email you when somebody matches, at most once in 3 days, for 60 days.
          </p>
          <WishList
            wordsOf={(filters) =>
              (known && filtersInWords(filtersOf(filters), optionsOf(known))) || 'A search'
            }
            renderLink={(filters, words) => <TextLink to={resultsPath(filtersOf(filters))}>{words}</TextLink>}
          />
        </Section>
      </div>
    </div>
  )
}

function Heading() {
  return (
    <PageHeading
      above={<Breadcrumbs items={[{ label: 'My Sessions', to: '/my-sessions' }, { label: 'Waitlists' }]} />}
      title="Waitlists"
      lead="Where you are waiting for a time, and what we look out for."
    />
  )
}
