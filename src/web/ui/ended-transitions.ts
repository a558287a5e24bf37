/*
 * The kit keeps an element for as long as one of its transitions runs. Of several that are cancelled, as where a page is
 * left with the pointer on a button, it hears of the first alone, and keeps the element with its whole page for good
 * (https://github.com/adobe/react-spectrum/issues/7326). So it hears of one transition of an element at a time.
 */

/** The property whose transition the kit knows of. */
const told = new WeakMap<EventTarget, string>()

function tellOfOne(event: TransitionEvent): void {
  const { target, propertyName } = event
  if (!target) return
  const known = told.get(target)
  if (known === undefined) {
    told.set(target, propertyName)
    // Added before the kit's own. An element that has left the page hears of its transitions by itself alone.
    target.addEventListener('transitionend', endTold, true)
    target.addEventListener('transitioncancel', endTold, true)
  } else if (known !== propertyName) event.stopPropagation()
}

function endTold(event: Event): void {
  const { target, currentTarget, propertyName, type } = event as TransitionEvent
  if (!target || target !== currentTarget) return
  if (told.get(target) === propertyName) told.delete(target)
  else if (type === 'transitioncancel') event.stopImmediatePropagation()
}

if (typeof window !== 'undefined') window.addEventListener('transitionrun', tellOfOne, true)
