import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useIsLeaving } from '#web/lib/use-is-leaving.ts'
import {
  parseFilters,
  queryOf,
  resultsPath,
  resultsPathname,
  type SearchFilters,
  tidied,
  withFilters,
} from './filters.ts'

/** What is typed is searched for once the typing pauses. */
const pauseMilliseconds = 500

/** What has been typed and is not searched for yet, and the field that is being typed in. */
type Typing = { field: string; values: Partial<SearchFilters> }

/** The draft, and the address it was made from. */
type State = { draft: SearchFilters; address: string; typing?: Typing | undefined }

export type FilterDraft = {
  draft: SearchFilters
  /** Searches at once. */
  change(draft: SearchFilters): void
  /** Searches when the typing pauses. The first value is that of the field that is typed in. */
  type(values: Partial<SearchFilters>): void
  /** Searches for what is typed without waiting. */
  submit(): void
}

/**
 * The filters as the panel shows them: those searched for, ahead of them while something is typed. A change goes into
 * the address, so that going back takes it off again; typing on in one field replaces the entry that its first letters
 * made.
 * @param filters those of the search under way, else of the address
 * @param hash with one, every change replaces the entry and keeps it
 */
export function useFilterDraft(filters: SearchFilters, hash = ''): FilterDraft {
  const navigate = useNavigate()
  const address = queryOf(filters)
  const [state, setState] = useState<State>({ draft: filters, address })
  /** The field that was typed in last, and the queries that the entry of its letters has had or is about to have. */
  const typedEntry = useRef<{ field: string; queries: Set<string> }>(undefined)
  const isLeaving = useIsLeaving(resultsPathname)
  const present = useRef(address)
  useEffect(() => {
    present.current = address
  }, [address])

  if (state.address !== address) {
    // What is being typed stays as it is typed: `Anna ` is searched for as `Anna`, and goes on to be `Anna Ng`.
    const isOwn = queryOf(tidied(state.draft)) === address
    const others = state.typing ? withFilters(filters, state.typing.values) : filters
    setState({ ...state, address, draft: isOwn ? state.draft : others })
  }

  const search = async (draft: SearchFilters, field?: string) => {
    const wanted = queryOf(tidied(draft))
    const own = field === undefined || typedEntry.current?.field !== field ? undefined : typedEntry.current
    const isOwnEntry = own?.queries.has(shownQuery()) === true
    const replace = hash !== '' || isOwnEntry
    typedEntry.current =
      field === undefined ? undefined : { field, queries: new Set(own?.queries).add(wanted) }
    setState((current) => ({ ...current, draft, typing: undefined }))
    if (wanted === address) return
    await navigate(resultsPath(tidied(draft)) + hash, { preventScrollReset: true, replace })
    const shown = shownFilters()
    // The closing of the panel may be on its way to the same search.
    if (queryOf(shown) === wanted || present.current === wanted) return
    // Without a network the address stays, and the panel follows it.
    setState((current) => (current.draft === draft ? { ...current, draft: shown } : current))
  }

  const searchTyped = useEffectEvent(search)
  useEffect(() => {
    if (state.typing === undefined) return undefined
    const { field } = state.typing
    const timer = setTimeout(() => !isLeaving() && void searchTyped(state.draft, field), pauseMilliseconds)
    return () => clearTimeout(timer)
  }, [state.typing, state.draft, isLeaving])

  return {
    draft: state.draft,
    change: (draft) => void search(draft),
    type: (values) =>
      setState((current) => ({
        ...current,
        draft: withFilters(current.draft, values),
        typing: { field: Object.keys(values)[0] ?? '', values: { ...current.typing?.values, ...values } },
      })),
    submit: () => void search(state.draft, state.typing?.field),
  }
}

const shownFilters = () => parseFilters(new URLSearchParams(window.location.search))
const shownQuery = () => queryOf(shownFilters())
