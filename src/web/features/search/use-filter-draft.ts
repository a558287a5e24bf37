import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { parseFilters, queryOf, resultsPath, type SearchFilters, tidied } from './filters.ts'

/** What is typed is searched for once the typing pauses. */
const pauseMilliseconds = 500

/** The draft, the address it was made from, and the field that is being typed in. */
type State = { draft: SearchFilters; address: string; typing?: string | undefined }

export type FilterDraft = {
  draft: SearchFilters
  /** Searches at once; with the name of a field that is typed in, when the typing pauses. */
  change(draft: SearchFilters, typing?: string): void
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
  const lastTyped = useRef<string>(undefined)
  const present = useRef(address)
  useEffect(() => {
    present.current = address
  }, [address])

  if (state.address !== address) {
    // What is being typed stays as it is typed: `Anna ` is searched for as `Anna`, and goes on to be `Anna Ng`.
    const isOwn = state.typing !== undefined || queryOf(tidied(state.draft)) === address
    setState({ ...state, address, draft: isOwn ? state.draft : filters })
  }

  const search = async (draft: SearchFilters, typed?: string) => {
    const replace = hash !== '' || (typed !== undefined && lastTyped.current === typed)
    lastTyped.current = typed
    setState((current) => ({ ...current, draft, typing: undefined }))
    const wanted = queryOf(tidied(draft))
    if (wanted === address) return
    await navigate(resultsPath(tidied(draft)) + hash, { preventScrollReset: true, replace })
    const shown = parseFilters(new URLSearchParams(window.location.search))
    // The closing of the panel may be on its way to the same search.
    if (queryOf(shown) === wanted || present.current === wanted) return
    // Without a network the address stays, and the panel follows it.
    setState((current) => (current.draft === draft ? { ...current, draft: shown } : current))
  }

  const searchTyped = useEffectEvent(search)
  useEffect(() => {
    if (state.typing === undefined) return undefined
    const timer = setTimeout(() => void searchTyped(state.draft, state.typing), pauseMilliseconds)
    return () => clearTimeout(timer)
  }, [state.typing, state.draft])

  return {
    draft: state.draft,
    change(draft, typing) {
      if (typing === undefined) void search(draft)
      else setState((current) => ({ ...current, draft, typing }))
    },
    submit: () => void search(state.draft, state.typing),
  }
}
