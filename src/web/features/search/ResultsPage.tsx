import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { NavigationType, useNavigationType } from 'react-router'
import type { PractitionerList } from '#contract/search.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { useLate } from '#web/lib/use-late.ts'
import { useSettled } from '#web/lib/use-settled.ts'
import { Button } from '#web/ui/Button.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { classes } from '#web/ui/classes.ts'
import { lateDialog } from '#web/ui/Dialog.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { applied, type FilterOptions, type OptionTotals } from './active-filters.ts'
import { ActiveFilters } from './ActiveFilters.tsx'
import { countOf } from './count.ts'
import { FilterPanel } from './FilterPanel.tsx'
import { useAllOptions } from './use-all-options.ts'
import {
  allFiltersPath,
  isSameSearch,
  queryOf,
  resultsPath,
  type SearchFilters,
  tidied,
  withFilters,
} from './filters.ts'
import { NearUnknown } from './NearUnknown.tsx'
import { NoResults } from './NoResults.tsx'
import { SortSelect } from './SortSelect.tsx'
import { useCounts } from './use-counts.ts'
import { panelHash, useFilterDialog, useIsFilterDialogOpen } from './use-filter-dialog.ts'
import { useFilterDraft } from './use-filter-draft.ts'
import type { ValueCounts } from './value-counts.ts'

const FilterDialog = lateDialog(() => import('./FilterDialog.tsx'))

const formId = 'filter-form'

/** Milliseconds without another choice, after which the number of results is announced. */
const announcedAfter = 300

export type ResultsPageProps = {
  /** Those of the results. */
  filters: SearchFilters
  /** Those of another search that is under way. */
  pending?: SearchFilters
  /** What one can filter by: of long lists the most common, and those chosen. */
  options: FilterOptions
  totals: OptionTotals
  /** The numbers beside the values of the filters, where they are known. */
  counts?: ValueCounts | undefined
  meta: PractitionerList['meta']
  /** `YYYY-MM-DD`, the first day that can be asked for. */
  today: string
  /** Names the time zone of the times on the cards; absent where no other clock is meant. */
  zoneNote?: string
  /** The cards. */
  children: ReactNode
  /** The shape of a card, while the next ones are slow to come. */
  skeleton: ReactNode
}

/** The list of practitioners with its filters: at the side from 992px, behind a button below. */
export function ResultsPage({
  filters,
  pending,
  options: sent,
  totals,
  counts: sentCounts,
  meta,
  today,
  zoneNote,
  children,
  skeleton,
}: ResultsPageProps) {
  const isHydrated = useHydrated()
  const isDialogOpen = useIsFilterDialogOpen()
  const isPending = pending !== undefined
  const draft = useFilterDraft(pending ?? filters, isDialogOpen ? panelHash : '')
  const all = useAllOptions(sent)
  // Nothing of the former search stands beside what has been chosen since.
  const isUntouched = draft.draft === filters
  const wanted = isUntouched ? filters : tidied(draft.draft)
  const setDialogOpen = useFilterDialog(isDialogOpen, queryOf(wanted))
  const isCounting = !isUntouched && !isSameSearch(wanted, filters)
  const isPlaceUnknown = meta.near_unknown !== undefined && wanted.near === filters.near
  const isSlow = useLate(isPending)
  const counts = useCounts(sentCounts, filters, all.isWhole)
  const announced = useSettled(isCounting ? '' : countOf(meta.total), announcedAfter)
  const heading = useResultsFocus(filters)
  const pageCount = Math.ceil(meta.total / meta.per_page)
  const bounds = meta.max_price > 0 ? { min: meta.min_price, max: meta.max_price } : { min: 0, max: 1800 }
  // Where the rest of a list cannot be read, its link still leads to the page that has it.
  const more = { totals, onWanted: () => void all.load().catch(() => undefined) }
  const panel = {
    options: all.options,
    bounds,
    today,
    filters: draft,
    counts: isCounting ? undefined : counts,
    more,
  }

  const filterLabel = (
    <>
      <IconAdjustmentsHorizontal aria-hidden size={20} />
      Filter results
    </>
  )

  const found = meta.total === 0 ? 'Nobody matches. See what to change' : `Show ${countOf(meta.total)}`
  const showLabel = isCounting ? 'Show results' : found

  return (
    <div className="page grid grid-cols-1 gap-x-10 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <aside
        aria-label="Filters"
        className="max-lg:hidden lg:sticky lg:top-0 lg:-mx-4 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:overscroll-contain lg:px-4 lg:pb-8 lg:[scrollbar-width:thin]"
      >
        <FilterPanel id={formId} {...panel} />
      </aside>

      <section id="results" aria-label="Results" className="min-w-0">
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pb-4">
          <h2
            ref={heading}
            tabIndex={-1}
            className="scroll-mt-6 font-sans text-lg font-semibold tracking-normal"
          >
            {isCounting ? 'Counting…' : countOf(meta.total)}
            {!isCounting && pageCount > 1 && (
              <span className="font-normal text-soft">{` · page ${meta.page} of ${pageCount}`}</span>
            )}
          </h2>
          <output className="sr-only">{announced}</output>
          <div className="flex grow flex-wrap items-end justify-between gap-3 lg:justify-end">
            {isHydrated ? (
              <Button
                variant="secondary"
                className="!px-4 whitespace-nowrap lg:hidden"
                onPress={() => setDialogOpen(true)}
              >
                {filterLabel}
              </Button>
            ) : (
              <a
                href={allFiltersPath(filters)}
                className={classes(buttonLook({ variant: 'secondary' }), '!px-4 whitespace-nowrap lg:hidden')}
              >
                {filterLabel}
              </a>
            )}
            <SortSelect filters={draft} form={formId} isPlaceUnknown={isPlaceUnknown} />
          </div>
        </div>
        <div className="pb-5 empty:hidden">
          <ActiveFilters
            filters={wanted}
            options={all.options}
            isPending={isCounting}
            isPlaceUnknown={isPlaceUnknown}
          />
        </div>
        {meta.near_unknown && (
          <div className="pb-5">
            <NearUnknown filters={filters} unknown={meta.near_unknown} />
          </div>
        )}
        {zoneNote && <p className="pb-4 text-sm text-soft">{zoneNote}</p>}
        {isSlow ? (
          <Loading label="Looking for practitioners" className="flex flex-col gap-5">
            {[0, 1, 2, 3].map((at) => (
              <div key={at}>{skeleton}</div>
            ))}
          </Loading>
        ) : (
          <div className={classes('transition-opacity', isPending && 'opacity-60')} aria-busy={isPending}>
            {meta.total === 0 ? (
              <NoResults
                filters={filters}
                searched={applied(filters, meta.near_unknown !== undefined)}
                relax={meta.relax ?? []}
              />
            ) : (
              children
            )}
          </div>
        )}
        <div className="pt-8">
          <Pagination
            label="Pages of results"
            page={meta.page}
            pageCount={pageCount}
            hrefFor={(page) => resultsPath(withFilters(filters, { page }))}
          />
        </div>
      </section>

      <FilterDialog
        {...panel}
        isOpen={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        isPending={isCounting}
        showLabel={showLabel}
      />
    </div>
  )
}

/**
 * Turning to another page of results begins at their heading, by keyboard as well. Other results begin in sight,
 * however far down the former ones have been read.
 */
function useResultsFocus(filters: SearchFilters) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isReturn = useNavigationType() === NavigationType.Pop
  const query = queryOf(filters)
  const shown = useRef({ query, page: filters.page })
  useEffect(() => {
    const before = shown.current
    shown.current = { query, page: filters.page }
    // On a return the browser restores the scroll position.
    if (before.query === query || isReturn || !heading.current) return
    if (heading.current.getBoundingClientRect().top < 0) heading.current.scrollIntoView()
    const isFiltering = document.activeElement?.closest('form, select, [role=dialog]')
    if (before.page !== filters.page && !isFiltering) heading.current.focus({ preventScroll: true })
  }, [query, filters.page, isReturn])
  return heading
}
