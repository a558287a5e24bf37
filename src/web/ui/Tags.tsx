import { classes } from './classes.ts'

/** A plain list of words, such as the issues that a practitioner treats. `max` cuts it and adds the number of the rest. */
export function Tags({
  items,
  max,
  className,
}: {
  items: readonly string[]
  max?: number
  className?: string
}) {
  const shown = max === undefined ? items : items.slice(0, max)
  const rest = items.length - shown.length
  return (
    <ul className={classes('flex flex-wrap gap-1.5', className)}>
      {shown.map((item) => (
        <li key={item} className="tag bg-action-soft text-on-action-soft">
          {item}
        </li>
      ))}
      {rest > 0 && <li className="px-1 py-0.5 text-xs text-soft">and {rest} more</li>}
    </ul>
  )
}
