import { Person } from './Person.tsx'
import { Scene } from './Scene.tsx'

/** Two people, each under an arch of their own, in one conversation. */
export function TwoHearths({ className }: { className?: string }) {
  return (
    <Scene viewBox="0 0 540 470" className={className}>
      <defs>
        <clipPath id="hearth-near">
          <path d="M18 430V210a120 120 0 0 1 240 0v220z" />
        </clipPath>
        <clipPath id="hearth-far">
          <path d="M286 430V160a118 118 0 0 1 236 0v270z" />
        </clipPath>
      </defs>

      <path d="M18 430V210a120 120 0 0 1 240 0v220z" fill="var(--color-drawing-sand)" stroke="none" />
      <path d="M286 430V160a118 118 0 0 1 236 0v270z" fill="var(--color-drawing-pine)" stroke="none" />

      <g clipPath="url(#hearth-far)">
        <Bookshelf />
        <g transform="translate(292 176) scale(1.14)">
          <Person skin={2} hair="grey" top="sand" hasGlasses />
        </g>
      </g>
      <g clipPath="url(#hearth-near)">
        <path d="M48 240a70 70 0 0 1 70-70v120H48z" fill="var(--color-surface)" />
        <path d="M118 170v120M48 232h70" />
        <circle cx="92" cy="206" r="11" fill="var(--color-drawing-ember)" />
        <g transform="translate(34 184) scale(1.14)">
          <Person skin={1} hair="bun" top="ember" />
        </g>
      </g>

      <Mug />
      <Plant />
      <path d="M4 430h532" strokeWidth="3" />
      <path d="M22 448h496" opacity="0.35" />

      <path
        d="M206 62h92a24 24 0 0 1 24 24v14a24 24 0 0 1-24 24h-58l-20 22 2-22h-16a24 24 0 0 1-24-24V86a24 24 0 0 1 24-24z"
        fill="var(--color-surface)"
      />
      <path d="M212 86h76M212 101h48" stroke="var(--color-drawing-ember)" />
    </Scene>
  )
}

function Bookshelf() {
  return (
    <g>
      <path d="M286 196h120" stroke="var(--color-drawing-sand)" strokeOpacity="0.5" />
      <path
        d="M318 196v-38h14v38M332 196v-46h12v46M344 196l8-40 12 3-8 37"
        fill="var(--color-drawing-sand)"
      />
    </g>
  )
}

function Mug() {
  return (
    <g>
      <path d="M212 384h46v32a14 14 0 0 1-14 14h-18a14 14 0 0 1-14-14z" fill="var(--color-surface)" />
      <path d="M258 392h8a10 10 0 0 1 0 22h-9" />
      <path d="M226 370c-5-7 4-10 0-18M242 370c-5-7 4-10 0-18" opacity="0.6" />
    </g>
  )
}

function Plant() {
  return (
    <g>
      <path
        d="M470 390c-4-30 4-52 0-76M470 366c12-4 20-16 20-30-14 2-22 12-20 30zM470 346c-14-4-22-16-20-32 14 2 22 14 20 32zM470 326c2-14 8-22 18-26 2 14-4 24-18 26z"
        fill="var(--color-drawing-sage)"
      />
      <path d="M446 386h48l-7 44h-34z" fill="var(--color-drawing-ember)" />
    </g>
  )
}
