import { useEffect, useState } from 'react'

/** Puts words in the place of the tab's title, now and then, for as long as there are any: a tab in the background is seen so. */
export function useTitleFlash(words: string | undefined): void {
  useEffect(() => {
    if (words === undefined) return undefined
    let own = document.title
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    const flash = () => {
      // Another page of the product may have set its title meanwhile.
      if (document.title !== words) own = document.title
      document.title = document.title === words && !isStill ? own : words
    }
    flash()
    const timer = setInterval(flash, 1500)
    return () => {
      clearInterval(timer)
      if (document.title === words) document.title = own
    }
  }, [words])
}

/** The same until somebody looks at the page. */
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
