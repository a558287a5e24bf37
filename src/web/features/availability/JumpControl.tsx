export type JumpControlProps = {
  day: string
  label: string
  onJump(day: string): void
  /** Leads there without JavaScript. */
  linkTo?: ((day: string) => string) | undefined
}

/** Shows another day: a button, or a link where buttons do nothing. */
export function JumpControl({ day, label, onJump, linkTo }: JumpControlProps) {
  const look = 'tappable text-left text-action underline underline-offset-[0.2em] hover:decoration-2'
  if (linkTo) {
    return (
      <a href={linkTo(day)} className={look}>
        {label}
      </a>
    )
  }
  return (
    <button type="button" onClick={() => onJump(day)} className={look}>
      {label}
    </button>
  )
}
