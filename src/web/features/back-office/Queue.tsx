import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import type { QueueEntry } from '#contract/back-office/back-office.ts'
import { pageIn } from '#web/lib/search-params.ts'
import { ChoiceLinks } from './ChoiceLinks.tsx'
import { ListFrame } from './ListFrame.tsx'
import { lapsesQuery, type QueueFilter, queueQuery } from './admin-queries.ts'
import { stateLabels, formatWait } from './admin-labels.ts'
import { SearchField } from './SearchField.tsx'
import { StateTag, toneOf } from './StateTag.tsx'
import { wordsIn } from './words-in.ts'

const shows = ['waiting', 'submitted', 'approved', 'suspended', 'rejected', 'closed', 'draft', 'all'] as const

/** Practitioners who wait for a decision, or those in a state, as the address says. */
export function Queue() {
  const [params] = useSearchParams()
  const filter = filterOf(params)
  const query = useQuery(queueQuery(filter))
  // Shown above the queue.
  const { data: lapses } = useQuery(lapsesQuery())
  const counts = query.data?.meta.counts
  const search = filter.search
  return (
    <div className="flex flex-col gap-6">
      <ChoiceLinks
        label="Which practitioners"
        choices={shows.map((show) => ({
          label: labelOf(show, counts),
          to: hrefOf({ show, search, page: 1 }),
          isChosen: show === filter.show,
        }))}
      />
      <SearchField
        key={search}
        label="Name or email"
        name="search"
        value={search}
        kept={{ show: filter.show }}
      />
      <ListFrame
        query={query}
        label="Practitioners"
        empty={
          search
            ? {
                title: 'No practitioner by that name',
                words: 'Try part of the name, or search all practitioners.',
              }
            : filter.show === 'waiting'
              ? {
                  title:
                    lapses?.total === 0
                      ? 'Nothing is waiting for you'
                      : 'No profiles or documents are waiting',
                  words: 'New profiles and changed documents will appear here, oldest first.',
                }
              : { title: 'No practitioners here', words: 'There are no practitioners with this status.' }
        }
        hrefFor={(page) => hrefOf({ ...filter, page })}
      >
        {(entry) => <Entry key={entry.practitioner_id} entry={entry} />}
      </ListFrame>
    </div>
  )
}

function Entry({ entry }: { entry: QueueEntry }) {
  const waits =
    entry.waiting_facts === 1 ? '1 document or licence' : `${entry.waiting_facts} documents or licences`
  return (
    <li className="relative flex flex-wrap items-center gap-x-6 gap-y-2 rounded-xl border border-line bg-surface p-4 shadow-low sm:p-5">
      <span className="min-w-[min(14rem,100%)] grow basis-0">
        <Link
          to={`/admin/practitioner?id=${entry.practitioner_id}`}
          className="text-lg font-semibold text-ink after:absolute after:inset-0 after:rounded-xl"
        >
          {entry.full_name}
        </Link>
        <span className="block text-sm break-all text-soft">{entry.email}</span>
        {entry.provider_types.length > 0 && (
          <span className="block text-sm text-soft">{entry.provider_types.join(', ')}</span>
        )}
      </span>
      <span className="flex flex-col items-start gap-1 sm:items-end">
        <StateTag tone={toneOf(entry.status)}>{stateLabels[entry.status]}</StateTag>
        {entry.waiting_facts > 0 && <span className="text-sm">{waits}</span>}
        {entry.waiting_since && <span className="text-sm text-soft">{formatWait(entry.waiting_since)}</span>}
      </span>
    </li>
  )
}

function filterOf(params: URLSearchParams): QueueFilter {
  const wanted = params.get('show')
  return {
    show: shows.find((show) => show === wanted) ?? 'waiting',
    search: wordsIn(params),
    page: pageIn(params),
  }
}

function hrefOf({ show, search, page }: QueueFilter): string {
  const query = new URLSearchParams({
    ...(show !== 'waiting' && { show }),
    ...(search && { search }),
    ...(page > 1 && { page: String(page) }),
  }).toString()
  return query ? `/admin?${query}` : '/admin'
}

function labelOf(show: (typeof shows)[number], counts: Record<string, number> | undefined): string {
  if (show === 'all') return 'All'
  const label = show === 'waiting' ? 'Waiting for us' : stateLabels[show]
  return counts ? `${label} (${counts[show]})` : label
}
