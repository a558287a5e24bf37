import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * The method of a form that needs JavaScript. Until the page is alive it is one by which browsers send nothing, whichever
 * key is pressed in it.
 */
export function useFormMethod(): 'post' | 'dialog' {
  return useHydrated() ? 'post' : 'dialog'
}

/** False on the server and until the page is alive in the browser. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

/**
 * Hears of a form that the server has rendered and in which something was chosen before the page was alive. Otherwise the
 * next rendering would put the fields back to what they were sent with. What the browser fills in again after a reload is
 * heard as well; a form whose choices are in the address is better without that, by `autoComplete="off"`.
 */
export function useEarlyForm(hear: (form: HTMLFormElement) => void) {
  const form = useRef<HTMLFormElement>(null)
  const [isHydrating] = useState(!useHydrated())
  const tell = useEffectEvent(hear)
  useEffect(() => {
    if (isHydrating && form.current && isTouched(form.current)) tell(form.current)
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
