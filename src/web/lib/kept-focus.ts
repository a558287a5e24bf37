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

/** What opens above the page, keeps the focus to itself and gives it back when it closes. */
const overlay = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** What appears above the page and leaves the focus where it is. */
const message = '[data-react-aria-top-layer]'

/** Elements that may have a heading of their own. */
const section = 'section, article, li, [role=region], [role=group]'

/** An element that had the focus, with its surroundings, which are known also after it has gone. */
type Spot = {
  element: Element
  /** From the nearest on. */
  parents: HTMLElement[]
  /** Of its page, if there was one: it goes with the page. */
  heading: Element | null
  /** In a message above the page: where the focus was before. */
  before: Element | undefined
  isGone: boolean
  previous: Node | null
  next: Node | null
}

/**
 * Moves the focus within the page's main part when the element that has it is taken away and nothing else takes the
 * focus: to what follows, or, after a dialog whose opener has gone as well, to the heading of the nearest section
 * around the opener that has one.
 * @param earlier what has had the focus before, up to what has it now
 */
export function keepFocus(earlier: readonly Element[]): void {
  let focused: Spot | undefined
  /** Where the focus was on the page before it went into a dialog, until it is elsewhere on the page. */
  let opener: Spot | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const note = (target: EventTarget | null) => {
    if (!(target instanceof Element) || target === document.body) return
    const isAbove = target.closest(overlay) !== null
    if (!isAbove && target !== opener?.element) opener = undefined
    if (isAbove && !opener && focused && !isWithinOverlay(focused)) opener = focused
    focused = target === opener?.element ? opener : spotOf(target, focused)
  }
  const observer = new MutationObserver((changes) => {
    for (const spot of [opener, focused]) {
      if (!spot || spot.isGone || spot.element.isConnected) continue
      const removal = changes.find(({ removedNodes }) =>
        [...removedNodes].some((node) => node.contains(spot.element)),
      )
      spot.isGone = true
      spot.previous = removal?.previousSibling ?? null
      spot.next = removal?.nextSibling ?? null
    }
    if (!focused?.isGone) return
    const lost = focused
    const opened = opener
    focused = undefined
    clearTimeout(timer)
    timer = setTimeout(() => refocus(lost, opened), patience)
  })

  earlier.filter((element) => element.isConnected).forEach(note)
  const noteTarget = ({ target }: FocusEvent) => note(target)
  document.addEventListener('focusin', noteTarget)
  observer.observe(document.body, { childList: true, subtree: true })
}

function spotOf(element: Element, from?: Spot): Spot {
  const before = element.closest(message) ? (from?.before ?? from?.element) : undefined
  const heading = document.querySelector('main h1')
  return { element, parents: parentsOf(element), heading, before, isGone: false, previous: null, next: null }
}

const isWithinOverlay = ({ element, parents }: Spot) =>
  [element, ...parents].some((each) => each.matches(overlay))

/** @param opener of the dialog in which the focus was, or that has just given it back */
function refocus(lost: Spot, opener: Spot | undefined): void {
  if (document.activeElement !== document.body) return
  // A dialog keeps the focus to itself, and gives it back when it closes.
  if (document.querySelector('[aria-modal=true]')) return
  const main = document.querySelector('main')
  if (!main) return
  const kept = keptInPlace(lost)
  const target = kept ?? (opener && afterDialog(opener, main)) ?? following(opener ?? lost, main)
  if (!target) return
  if (!target.matches('a, button, summary, select, input, [tabindex]')) target.tabIndex = -1
  target.focus({ preventScroll: target === kept })
}

/**
 * What takes the focus where the page stands, without its being scrolled: what had it before a message, and on another page,
 * which the router has scrolled by itself, the part that its address names or its heading.
 */
function keptInPlace({ before, heading }: Spot): HTMLElement | undefined {
  if (before instanceof HTMLElement && before.isConnected) return before
  if (!heading || heading.isConnected) return undefined
  const named = document.getElementById(window.location.hash.slice(1))
  return named ?? document.querySelector<HTMLElement>('main h1') ?? undefined
}

/**
 * The opener itself, or the heading of the nearest section around it that has one. Undefined where an entry of a list has
 * gone with the opener.
 */
function afterDialog({ element, parents, isGone }: Spot, main: HTMLElement): HTMLElement | undefined {
  if (!isGone && element instanceof HTMLElement && canTakeFocus(element)) return element
  const [nearest, ...further] = parents.filter((each) => each.isConnected && main.contains(each))
  if (!nearest || nearest.matches('ul, ol, tbody')) return undefined
  return [nearest, ...further]
    .filter((each) => each.matches(section))
    .flatMap((each) => [...each.querySelectorAll<HTMLElement>('h2, h3, h4')])
    .find(canTakeFocus)
}

/** What follows the place of an element that has gone, or else the last heading before it. */
function following({ parents, previous, next }: Spot, main: HTMLElement): HTMLElement | undefined {
  const parent = parents.find((each) => each.isConnected)
  if (!parent) return undefined
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
  return candidates.find(follows) ?? candidates.findLast((each) => each.matches('h1, h2, h3')) ?? main
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
