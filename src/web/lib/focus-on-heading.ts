/** Moves the focus to the heading of what is shown next. Returns a function that cancels it. */
export function focusOnHeading(): () => void {
  // A dialog that closes with its screen moves the focus first.
  const frame = requestAnimationFrame(() => {
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus()
  })
  return () => cancelAnimationFrame(frame)
}
