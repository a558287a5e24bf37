import { Scene } from './Scene.tsx'

type Props = { className?: string }

/** Three arches with a face each and a glass held over them: looking for a therapist. */
export function Looking({ className }: Props) {
  return (
    <Scene className={className}>
      <path d="M14 104V62a20 20 0 0 1 40 0v42z" fill="var(--color-drawing-sand)" />
      <path d="M106 104V62a20 20 0 0 1 40 0v42z" fill="var(--color-drawing-sage)" />
      <path d="M56 104V50a24 24 0 0 1 48 0v54z" fill="var(--color-surface)" />
      <path d="M62 104c2-16 10-22 18-22s16 6 18 22" fill="var(--color-drawing-ember)" />
      <circle cx="80" cy="62" r="14" fill="var(--color-drawing-skin-2)" />
      <path d="M66 60c0-12 6-18 14-18s15 6 14 18c-4-6-8-8-12-8-6 4-12 4-16 8z" fill="#2f2723" />
      <path d="M76 68q4 3 8 0" />
      <path d="M22 104c1-10 6-15 12-15s11 5 12 15M114 104c1-10 6-15 12-15s11 5 12 15" />
      <circle cx="34" cy="70" r="9" fill="var(--color-drawing-skin-1)" />
      <circle cx="126" cy="70" r="9" fill="var(--color-drawing-skin-3)" />
      <path d="M6 104h148" />
      <circle cx="80" cy="60" r="29" strokeWidth="4" />
      <path d="m101 81 16 16" strokeWidth="7" />
    </Scene>
  )
}

/** A calendar leaf with one day marked by a flame: choosing a time. */
export function ChoosingTime({ className }: Props) {
  return (
    <Scene className={className}>
      <rect x="30" y="22" width="100" height="84" rx="12" fill="var(--color-surface)" />
      <path d="M30 46V34a12 12 0 0 1 12-12h76a12 12 0 0 1 12 12v12z" fill="var(--color-drawing-sage)" />
      <path d="M54 14v16M106 14v16" />
      <path d="M46 60h8M68 60h8M112 60h4M46 76h8M112 76h4M46 92h8M68 92h8M90 92h8" opacity="0.5" />
      <path d="M70 66h42v24a4 4 0 0 1-4 4H74a4 4 0 0 1-4-4z" fill="var(--color-drawing-sand)" stroke="none" />
      <path
        d="M91 62c1 8 12 12 12 22a12 12 0 0 1-24 0c0-6 3-9 6-12 0 4 1 6 3 7-1-6 0-12 3-17z"
        fill="var(--color-drawing-ember)"
      />
      <path d="M14 106h132" />
    </Scene>
  )
}

/** A screen with a person on it, and a cup beside it: talking. */
export function Talking({ className }: Props) {
  return (
    <Scene className={className}>
      <rect x="26" y="22" width="92" height="66" rx="8" fill="var(--color-drawing-sand)" />
      <path d="M46 88c2-20 12-28 26-28s24 8 26 28z" fill="var(--color-drawing-pine)" />
      <circle cx="72" cy="48" r="15" fill="var(--color-drawing-skin-3)" />
      <path d="M56 48c-2-14 6-22 17-22s17 8 15 22c-2-6-5-9-9-11-6 3-14 4-18 3-2 2-4 5-5 8z" fill="#2b2220" />
      <path d="M67 54q5 4 10 0" />
      <path d="M14 88h116l6 12a4 4 0 0 1-4 6H12a4 4 0 0 1-4-6z" fill="var(--color-surface)" />
      <path
        d="M126 66h20v14a8 8 0 0 1-8 8h-4a8 8 0 0 1-8-8zM146 70h3a5 5 0 0 1 0 10h-4"
        fill="var(--color-drawing-ember)"
      />
      <path d="M132 58c-3-5 3-7 0-12M140 58c-3-5 3-7 0-12" opacity="0.6" />
    </Scene>
  )
}

/** An empty armchair by a lamp: nothing here yet. */
export function EmptyChair({ className }: Props) {
  return (
    <Scene className={className}>
      <path d="M100 104V40" />
      <path d="M84 40h40l-8-24H92z" fill="var(--color-drawing-ember)" />
      <path
        d="M20 92V66a12 12 0 0 1 12-4c6 2 8 8 8 16h28c0-8 2-14 8-16a12 12 0 0 1 12 4v26a6 6 0 0 1-6 6H26a6 6 0 0 1-6-6z"
        fill="var(--color-drawing-sage)"
      />
      <path
        d="M32 62V44a16 16 0 0 1 16-16h12a16 16 0 0 1 16 16v18c-6 2-8 8-8 16H40c0-8-2-14-8-16z"
        fill="var(--color-drawing-sage)"
      />
      <path d="M28 98v8M80 98v8M92 104h24" />
      <path d="M8 106h144" />
    </Scene>
  )
}
