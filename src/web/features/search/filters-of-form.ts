import { parseFilters, type SearchFilters } from './filters.ts'

/** What a form of filters says, with the fields that stand elsewhere and belong to it. */
export function filtersOfForm(form: HTMLFormElement): SearchFilters {
  const texts = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') texts.append(name, value)
  return parseFilters(texts)
}
