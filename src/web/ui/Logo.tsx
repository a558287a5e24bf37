/** A hearth: an arch with a flame in it. */
function HearthMark() {
  return (
    <svg aria-hidden width={34} height={34} viewBox="0 0 34 34">
      <path d="M4 29V16.5a13 13 0 0 1 26 0V29z" className="fill-action forced-colors:fill-[CanvasText]" />
      <rect
        x="1.5"
        y="28"
        width="31"
        height="3.6"
        rx="1.8"
        className="fill-action forced-colors:fill-[CanvasText]"
      />
      <path
        d="M17.4 8.6c.3 3.4 5.9 5.9 5.9 11.5a6.3 6.3 0 0 1-12.6 0c0-2.7 1.3-4.5 3-6.1 0 1.7.5 2.9 1.6 3.6-.3-3.4.2-6.4 2.1-9z"
        className="fill-drawing-ember forced-colors:fill-[Canvas]"
      />
      <path
        d="M17.1 18.2c.3 1.8 2.6 2.7 2.6 5a2.7 2.7 0 0 1-5.4 0c0-2 1.9-2.7 2.8-5z"
        className="fill-paper forced-colors:fill-[CanvasText]"
      />
    </svg>
  )
}

/** Mark and name. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <HearthMark />
      <span className="font-serif text-[1.6rem] leading-none font-[560] tracking-[-0.02em] text-ink">
        Hearth
      </span>
    </span>
  )
}
