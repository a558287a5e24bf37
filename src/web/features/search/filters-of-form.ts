import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useHydrated } from '#web/lib/hydrated.ts'
import { parseFilters, type SearchFilters } from './filters.ts'

/** What a form of filters says, with the fields that stand elsewhere and belong to it. */
export function filtersOfForm(form: HTMLFormElement): SearchFilters {
  const texts = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') texts.append(name, value)
  return parseFilters(texts)
}

/**
 * Hears what was chosen in a form that the server has rendered, before the page was alive. Otherwise the next rendering
 * would put the fields back to what they were sent with. What the browser fills in again after a reload is heard as
 * well; a form whose choices are in the address is better without that, by `autoComplete="off"`.
 */
export function useEarlyChoices(hear: (filters: SearchFilters) => void) {
  const form = useRef<HTMLFormElement>(null)
  const [isHydrating] = useState(!useHydrated())
  const tell = useEffectEvent(hear)
  useEffect(() => {
    if (isHydrating && form.current && isTouched(form.current)) tell(filtersOfForm(form.current))
  }, [isHydrating])
  return form
}

/** Whether a field is not as it was sent. */
function isTouched(form: HTMLFormElement): boolean {
  return [...form.elements].some((field) => {
    if (field instanceof HTMLSelectElement)
      return [...field.options].some((option) => option.selected !== option.defaultSelected)
    if (!(field instanceof HTMLInputElement)) return false
    const isTick = field.type === 'checkbox' || field.type === 'radio'
    return isTick ? field.checked !== field.defaultChecked : field.value !== field.defaultValue
  })
}
