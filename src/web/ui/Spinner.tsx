/** A small turning ring with a name. Above a second or so prefer a `Skeleton` of what is coming. */
export function Spinner({ label = 'Loading', size = 20 }: { label?: string; size?: number }) {
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      className="animate-turn"
    >
      <circle cx="10" cy="10" r="8" opacity="0.25" />
      <path d="M10 2a8 8 0 0 1 8 8" strokeLinecap="round" />
    </svg>
  )
}
