import { IconChevronRight } from '@tabler/icons-react'
import { TextLink } from './Link.tsx'

/** Where this page is. The last entry is the page itself and has no `to`. */
export function Breadcrumbs({ items }: { items: readonly { label: string; to?: string }[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex flex-wrap items-center gap-x-1.5 text-sm text-soft">
        {items.map((item, at) => (
          <li key={item.label} className="flex items-center gap-1.5">
            {at > 0 && <IconChevronRight aria-hidden size={16} className="text-faint" />}
            {item.to ? (
              <TextLink to={item.to} tone="plain" className="inline-flex min-h-9 items-center">
                {item.label}
              </TextLink>
            ) : (
              <span aria-current="page" className="inline-flex min-h-9 items-center">
                {item.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
