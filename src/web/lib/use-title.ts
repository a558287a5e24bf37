import { useEffect } from 'react'
import { pageTitle } from './site.ts'

/** Names the page in the tab by what it shows, where that is known only once it is there. Undefined leaves the title. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return
    // The count of unread messages before it stays; the chats keep it up to date.
    const [count = ''] = /^\(\d+\+?\) /.exec(document.title) ?? []
    document.title = `${count}${pageTitle(title)}`
  }, [title])
}
