import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { addressPairs, parseFilters, queryOf, resultsPath, type SearchFilters } from './filters.ts'

/** What is typed is searched for once the typing pauses. */
const pauseMilliseconds = 500

/** The draft, the address it was made from, and the field that is being typed in. */
type State = { draft: SearchFilters; address: string; typing?: string | undefined }

/**
 * The filters as the panel shows them: what the address says, ahead of it while a search is under way. A change goes
 * into the address, so that going back takes it off again; typing on in one field replaces the entry that its first letters made.
 */
export function useFilterDraft(filters: SearchFilters) {
  const navigate = useNavigate()
  const address = queryOf(filters)
  const [state, setState] = useState<State>({ draft: filters, address })
  const lastTyped = useRef<string>(undefined)

  if (state.address !== address) {
    // What is being typed stays as it is typed: `Anna ` is searched for as `Anna`, and goes on to be `Anna Ng`.
    const isOwn = state.typing !== undefined || queryOf(tidied(state.draft)) === address
    setState({ ...state, address, draft: isOwn ? state.draft : filters })
  }

  const search = (draft: SearchFilters, typed?: string) => {
    const replace = typed !== undefined && lastTyped.current === typed
    lastTyped.current = typed
    setState((current) => ({ ...current, draft, typing: undefined }))
    const wanted = tidied(draft)
    if (queryOf(wanted) !== address) void navigate(resultsPath(wanted), { preventScrollReset: true, replace })
  }

  const searchTyped = useEffectEvent(search)
  useEffect(() => {
    if (state.typing === undefined) return undefined
    const timer = setTimeout(() => searchTyped(state.draft, state.typing), pauseMilliseconds)
    return () => clearTimeout(timer)
  }, [state.typing, state.draft])

  return {
    draft: state.draft,
    /** Searches at once; with the name of a field that is typed in, when the typing pauses. */
    change(draft: SearchFilters, typing?: string) {
      if (typing === undefined) search(draft)
      else setState((current) => ({ ...current, draft, typing }))
    },
    /** Searches for what is typed without waiting. */
    submit: () => search(state.draft, state.typing),
  }
}

export type FilterDraft = ReturnType<typeof useFilterDraft>

/** As the address would have it. */
function tidied(draft: SearchFilters): SearchFilters {
  return parseFilters(new URLSearchParams(addressPairs(draft)))
}
