type Props = {
  /** More than 99 are not counted. */
  value: number
  /** What is counted, for screen readers alone. */
  of: string
}

/** How many of something wait, in a small disc. */
export function Count({ value, of }: Props) {
  return (
    <span className="inline-grid h-5 min-w-5 place-items-center rounded-full border-2 border-paper bg-ember-text px-1 text-xs leading-none font-bold text-paper tabular-nums">
      {value > 99 ? '99+' : value}
      <span className="sr-only"> {of}</span>
    </span>
  )
}
