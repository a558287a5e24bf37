/*
 * One hand for every drawn person: round line, flat colour, a calm face. Each is drawn in a box of 200 by 220 and may
 * stand inside another drawing.
 */

export type PersonLook = {
  skin: 1 | 2 | 3
  hair: 'bun' | 'crop' | 'long' | 'curls' | 'grey' | 'scarf'
  top: 'sage' | 'ember' | 'sand' | 'pine'
  hasGlasses?: boolean
}

const hairColours = {
  bun: '#5b3a29',
  crop: '#2f2723',
  long: '#3a2a22',
  curls: '#2b2220',
  grey: '#a9a39a',
  scarf: 'var(--color-drawing-ember)',
}
const topColours = {
  sage: 'var(--color-drawing-sage)',
  ember: 'var(--color-drawing-ember)',
  sand: 'var(--color-drawing-sand)',
  pine: 'var(--color-drawing-pine)',
}

/** Head and shoulders, as a group inside another drawing. */
export function Person({ skin, hair, top, hasGlasses }: PersonLook) {
  const skinColour = `var(--color-drawing-skin-${skin})`
  const hairColour = hairColours[hair]
  return (
    <g
      fill="none"
      stroke="var(--color-drawing-ink)"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <HairBehind hair={hair} colour={hairColour} />
      <path d="M14 220c2-48 30-70 66-78h40c36 8 64 30 66 78z" fill={topColours[top]} />
      <path d="M82 116v26c2 20 34 20 36 0v-26" fill={skinColour} />
      <path d="M80 142c6 24 34 24 40 0" />
      <path d="M64 78c0-32 16-46 36-46s36 14 36 46c0 30-16 50-36 50S64 108 64 78z" fill={skinColour} />
      <HairAbove hair={hair} colour={hairColour} />
      <path d="M80 77q7-5 13-1M107 76q7-4 13 1" />
      <circle cx="87" cy="87" r="2.7" fill="var(--color-drawing-ink)" stroke="none" />
      <circle cx="113" cy="87" r="2.7" fill="var(--color-drawing-ink)" stroke="none" />
      <path d="M100 88q-5 9 1 12M89 110q11 8 22 0" />
      {hasGlasses && (
        <g strokeWidth="2">
          <circle cx="86" cy="87" r="11" />
          <circle cx="114" cy="87" r="11" />
          <path d="M97 86q3-2 6 0M75 85l-9-3M125 85l9-3" />
        </g>
      )}
    </g>
  )
}

type Hair = { hair: PersonLook['hair']; colour: string }

function HairBehind({ hair, colour }: Hair) {
  if (hair === 'bun') return <circle cx="100" cy="22" r="17" fill={colour} />
  if (hair === 'long')
    return <path d="M62 76c-10 40-8 74-22 100 22 10 98 10 120 0-14-26-12-60-22-100z" fill={colour} />
  if (hair === 'scarf')
    return <path d="M58 74c-8 46-4 74-16 98 26 14 90 14 116 0-12-24-8-52-16-98z" fill={colour} />
  return null
}

function HairAbove({ hair, colour }: Hair) {
  return <path d={hairAbove[hair]} fill={colour} />
}

const hairAbove: Record<PersonLook['hair'], string> = {
  bun: 'M62 84c-4-36 12-56 38-56s42 20 38 56c-4-18-12-28-22-34-14 8-34 10-46 12-4 6-7 13-8 22z',
  crop: 'M62 78c-6-30 10-54 40-54 26 0 40 20 36 54-3-8-5-14-8-20-18 2-38 0-54-6-6 6-11 14-14 26z',
  long: 'M60 96c-8-42 10-70 40-70s48 28 40 70c-4-22-10-36-22-44-12 14-34 20-48 20-5 7-8 14-10 24z',
  curls:
    'M62 88c-14-4-14-20-4-26-6-14 6-26 18-24 4-14 24-18 32-8 12-6 26 2 26 16 12 4 14 20 4 26 4 8 0 14-6 16 0-12-4-22-10-28-14 4-34 2-44-4-8 8-14 18-16 32z',
  grey: 'M64 82c-8-28 2-52 36-54 32-2 46 24 36 54-3-12-6-20-12-26-8-8-20-10-32-8-14 2-22 14-28 34z',
  scarf:
    'M58 100c-8-48 10-78 42-78s50 30 42 78c-4 14-10 24-18 30 8-16 12-34 10-52-4-22-18-32-34-32s-30 10-34 32c-2 18 2 36 10 52-8-6-14-16-18-30z',
}
