import { Scene } from './Scene.tsx'

/** A cup tipped over, for what went wrong on our side. */
export function UpsetCup({ className }: { className?: string }) {
  return (
    <Scene viewBox="0 0 160 110" className={className}>
      <path
        d="M14 92c18-9 40-6 58-5 24 1 52-4 76 5-20 8-112 8-134 0z"
        fill="var(--color-drawing-sand)"
        stroke="none"
      />
      <path
        d="M58 44 102 30c5-1.600 10 1 12 6l10 28c2 6-1 11-6 13L82 88c-6 2-12 0-14-6z"
        fill="var(--color-surface)"
      />
      <ellipse
        cx="64"
        cy="65"
        rx="9"
        ry="22"
        transform="rotate(-18 64 65)"
        fill="var(--color-drawing-ember)"
      />
      <path d="M118 42c10-5 20-1 22 7s-4 16-14 17" />
      <path d="M58 84c-8 3-16 8-26 6s-8-9 0-10 12-4 18-10" fill="var(--color-drawing-ember)" />
      <path d="M40 40c-4-6 3-9 0-15M54 32c-4-6 3-9 0-15" opacity="0.55" />
    </Scene>
  )
}
