import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { filterPairs, parseFilters, queryOf, resultsPath, type SearchFilters } from './filters.ts'

/** What is typed is searched for once the typing pauses. */
const pauseMilliseconds = 500

/** When a change is searched for: at once, or when the typing pauses. */
export type ChangeKind = 'chosen' | 'typed'

/**
 * The filters as the panel shows them: what the address says, ahead of it while a search is under way. A change goes
 * into the address, so that going back takes it off again; typing on replaces the entry that its first letters made.
 */
export function useFilterDraft(filters: SearchFilters) {
  const navigate = useNavigate()
  const address = queryOf(filters)
  const [state, setState] = useState({ draft: filters, address, isTyping: false })
  const lastKind = useRef<ChangeKind>('chosen')

  if (state.address !== address) {
    // What is being typed stays as it is typed: `Anna ` is searched for as `Anna`, and goes on to be `Anna Ng`.
    const isOwn = state.isTyping || queryOf(tidied(state.draft)) === address
    setState({ ...state, address, draft: isOwn ? state.draft : filters })
  }

  const search = (draft: SearchFilters, kind: ChangeKind) => {
    const replace = kind === 'typed' && lastKind.current === 'typed'
    lastKind.current = kind
    setState((current) => ({ ...current, draft, isTyping: false }))
    const wanted = tidied(draft)
    if (queryOf(wanted) !== address) void navigate(resultsPath(wanted), { preventScrollReset: true, replace })
  }

  const searchTyped = useEffectEvent((draft: SearchFilters) => search(draft, 'typed'))
  useEffect(() => {
    if (!state.isTyping) return undefined
    const timer = setTimeout(() => searchTyped(state.draft), pauseMilliseconds)
    return () => clearTimeout(timer)
  }, [state.isTyping, state.draft])

  return {
    draft: state.draft,
    change(draft: SearchFilters, kind: ChangeKind) {
      if (kind === 'chosen') search(draft, kind)
      else setState((current) => ({ ...current, draft, isTyping: true }))
    },
    /** Searches for what is typed without waiting. */
    submit: () => search(state.draft, 'typed'),
  }
}

export type FilterDraft = ReturnType<typeof useFilterDraft>

/** As the address would have it. */
function tidied(draft: SearchFilters): SearchFilters {
  return parseFilters(new URLSearchParams(filterPairs(draft)))
}
