import { Scene } from './Scene.tsx'

/** A path that loses itself between hills, for a page that is not there. */
export function LostPath({ className }: { className?: string }) {
  return (
    <Scene viewBox="0 0 240 150" className={className}>
      <path
        d="M30 132V84a60 60 0 0 1 60-60h60a60 60 0 0 1 60 60v48z"
        fill="var(--color-drawing-sand)"
        stroke="none"
      />
      <circle cx="152" cy="58" r="14" fill="var(--color-drawing-ember)" />
      <path d="M30 118c24-34 52-38 82-18 26-24 62-22 98 12v20H30z" fill="var(--color-drawing-sage)" />
      <path d="M104 132c-4-14 22-14 16-26-3-6-13-4-11-11" stroke="var(--color-paper)" strokeWidth="8" />
      <path d="M176 132v-40M176 96h26l8 7-8 7h-26M176 104h-18l-6-6 6-6h18" fill="var(--color-surface)" />
      <path d="M64 132c0-14-2-20-8-26M64 120c2-8 6-12 12-14" />
      <path d="M16 132h208" />
    </Scene>
  )
}
