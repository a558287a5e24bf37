/**
 * Moves the focus at the end of what takes time: only if it is lost, or still within what leaves. What a person has chosen
 * meanwhile keeps it.
 */
export function focusLate(target: HTMLElement | null, leaving: Element | null = target): void {
  const { activeElement } = document
  if (activeElement === document.body || leaving?.contains(activeElement)) target?.focus()
}
