/** The words that an address searches a list by, as `SearchField` puts them there; empty for none. */
export const wordsIn = (params: URLSearchParams): string => (params.get('search') ?? '').trim().slice(0, 100)
