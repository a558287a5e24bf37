import { IconChevronRight } from '@tabler/icons-react'
import { TextLink } from './Link.tsx'

/** Where this page is. The last entry is the page itself and has no `to`. */
export function Breadcrumbs({ items }: { items: readonly { label: string; to?: string }[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex flex-wrap items-center gap-x-1.5 text-sm text-soft">
        {items.map((item, at) => (
          <li key={item.label} className="flex items-center gap-1.5">
            {item.to ? (
              <TextLink to={item.to} tone="plain" className="tappable-small">
                {item.label}
              </TextLink>
            ) : (
              <span aria-current="page" className="tappable-small">
                {item.label}
              </span>
            )}
            {/* After the words: where the line breaks, the next one begins with a word. */}
            {at < items.length - 1 && (
              <IconChevronRight aria-hidden size={16} className="shrink-0 text-faint" />
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
