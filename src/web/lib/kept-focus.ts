/*
 * An element that has the focus may go: a row that was decided on, a button that another takes the place of. The browser
 * then leaves the focus on the body, where the next Tab begins at the top of the page.
 */

/** Milliseconds in which a page, dialog or form that knows better moves the focus by itself. */
const patience = 100

const focusable = [
  'a[href]',
  'button',
  'summary',
  'select',
  'input:is([type=radio], [type=checkbox])',
  'h1, h2, h3',
  '[tabindex]',
].join(', ')

type Place = {
  /** From the nearest on. */
  parents: HTMLElement[]
  previous: Node | null
  next: Node | null
}

/**
 * Moves the focus to what follows in the page's main part when the element that has it is taken away and nothing else
 * takes the focus. Returns the function that stops it.
 */
export function keepFocus(): () => void {
  let focused: Element | undefined
  let parents: HTMLElement[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || target === document.body) return
    focused = target
    parents = parentsOf(target)
  }
  const observer = new MutationObserver((changes) => {
    if (!focused || focused.isConnected) return
    const lost = focused
    focused = undefined
    const removal = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(lost)))
    const place = {
      parents,
      previous: removal?.previousSibling ?? null,
      next: removal?.nextSibling ?? null,
    }
    clearTimeout(timer)
    timer = setTimeout(() => refocus(place), patience)
  })

  document.addEventListener('focusin', note)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', note)
    observer.disconnect()
    clearTimeout(timer)
  }
}

function refocus({ parents, previous, next }: Place): void {
  if (document.activeElement !== document.body) return
  // A dialog keeps the focus to itself, and gives it back when it closes.
  if (document.querySelector('[aria-modal=true]')) return
  const main = document.querySelector('main')
  const parent = parents.find((each) => each.isConnected)
  if (!main || !parent) return
  const within = main.contains(parent) ? parent : main
  const start =
    previous?.isConnected && within.contains(previous) ? previous : next?.isConnected ? next : within
  const follows = (each: Element) =>
    start === previous
      ? Boolean(start.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) &&
        !start.contains(each)
      : start === each ||
        start.contains(each) ||
        Boolean(start.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING)
  const candidates = [...main.querySelectorAll<HTMLElement>(focusable)].filter(canTakeFocus)
  const target = candidates.find(follows) ?? main.querySelector<HTMLElement>('h1') ?? main
  if (!target.matches('a, button, summary, select, input, [tabindex]')) target.tabIndex = -1
  target.focus()
}

function canTakeFocus(element: HTMLElement): boolean {
  return (
    element.checkVisibility() &&
    !element.matches(':disabled') &&
    !element.closest('[inert], [aria-hidden=true]')
  )
}

function parentsOf(element: Element): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let at = element.parentElement; at; at = at.parentElement) found.push(at)
  return found
}
