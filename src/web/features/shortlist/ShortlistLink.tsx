import { IconHeart } from '@tabler/icons-react'
import { Link } from 'react-router'
import { shortlistPath } from '#web/lib/site.ts'
import { iconButtonLook } from '#web/ui/IconButton.tsx'
import { classes } from '#web/ui/classes.ts'
import { useShortlist } from './shortlist-store.ts'

/** Leads to the shortlist, with the number of people on it. */
export function ShortlistLink() {
  const { ids } = useShortlist()
  return (
    <Link to={shortlistPath} className={classes(iconButtonLook, 'relative')}>
      <span className="sr-only">Your shortlist{ids.length > 0 && `, ${ids.length} saved`}</span>
      <IconHeart aria-hidden size={24} />
      {ids.length > 0 && (
        <span
          aria-hidden
          className="absolute -top-0.5 -right-0.5 grid h-5 min-w-5 place-items-center rounded-full bg-action px-1 text-xs font-semibold text-on-action"
        >
          {ids.length}
        </span>
      )}
    </Link>
  )
}
