import { useEffect, useState } from 'react'

/** Puts words in the place of the tab's title, now and then, for as long as there are any: a tab in the background is seen so. */
export function useTitleFlash(words: string | undefined): void {
  useEffect(() => {
    if (words === undefined) return undefined
    let own = bareTitle()
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    const flash = () => {
      // Another page of the product may have set its title meanwhile.
      const shown = bareTitle()
      if (shown !== words) own = shown
      document.title = shown === words && !isStill ? own : words
    }
    flash()
    const timer = setInterval(flash, 1500)
    return () => {
      clearInterval(timer)
      if (bareTitle() === words) document.title = own
    }
  }, [words])
}

/** Without the count of unread messages, which stands before any title. */
function bareTitle(): string {
  return document.title.replace(/^\(\d+\+?\) /, '')
}

/** Flashes the title until the page has been visible once. */
export function useTitleUntilSeen(words: string | undefined): void {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') setSeen(true)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  useTitleFlash(isSeen ? undefined : words)
}
