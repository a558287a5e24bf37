import { circle, ground, INK, line, shape } from './shapes.ts'

export const headShapes = {
  oval: 'M64 78c0-32 16-46 36-46s36 14 36 46c0 30-16 50-36 50S64 108 64 78z',
  round: 'M63 80c0-32 16-48 37-48s37 16 37 48c0 28-15 47-37 47s-37-19-37-47z',
  long: 'M65 78c0-32 15-46 35-46s35 14 35 46c0 34-16 55-35 55S65 112 65 78z',
  square: 'M64 78c0-30 16-46 36-46s36 16 36 46c0 14-1 24-5 33-6 13-18 18-31 18s-25-5-31-18c-4-9-5-19-5-33z',
} as const
export type HeadShape = keyof typeof headShapes

/** `near` and `far` are the middles of the two eyes. */
type Eyes = (near: number, far: number) => string

export const eyes = {
  dots: (near, far) => circle(near, 87, 1.6, INK) + circle(far, 87, 1.6, INK),
  lidded: (near, far) =>
    circle(near, 88, 1.4, INK) +
    circle(far, 88, 1.4, INK) +
    line(`M${near - 6} 85q6-5 12 1M${far - 6} 86q6-6 12-1`, 2),
  lashes: (near, far) =>
    circle(near, 88, 1.5, INK) +
    circle(far, 88, 1.5, INK) +
    line(`M${near + 5} 86q-6-5-11 0l-3-2M${far - 5} 86q6-5 11 0l3-2`, 1.9),
  smiling: (near, far) => line(`M${near - 6} 89q6-6 12 0M${far - 6} 89q6-6 12 0`, 2.6),
} as const satisfies Record<string, Eyes>
export type EyeStyle = keyof typeof eyes

export const mouths = {
  smile: (x: number) => line(`M${x - 11} 109q11 9 22 0`),
  soft: (x: number) => line(`M${x - 9} 110q9 6 18 0`),
  aside: (x: number) => line(`M${x - 10} 111q11 6 20-2`),
  open: (x: number) =>
    shape(`M${x - 12} 106q12 4 24 0q-2 13-12 13t-12-13z`, '#8c4238') +
    ground(`M${x - 9} 108q9 2 18 0l-1 3q-8 2-16 0z`, '#fffdf8'),
  lips: (x: number) =>
    shape(`M${x - 11} 107q11 6 22 0q-4 10-11 10t-11-10z`, '#c4706a') +
    line(`M${x - 7} 110.5q7 3.5 14 0`, 1.4),
} as const
export type MouthStyle = keyof typeof mouths

export const beards = {
  full: {
    d: 'M64 84C63 118 78 135 100 135C122 135 137 118 136 84C133 97 126 101 117 102C111 97 104 98 100 100C96 98 89 97 83 102C74 101 67 97 64 84Z',
    opacity: 1,
  },
  short: {
    d: 'M65 92C66 120 80 134 100 134C120 134 134 120 135 92C130 110 118 101 100 101C82 101 70 110 65 92Z',
    opacity: 1,
  },
  stubble: {
    d: 'M65 90C65 118 80 129 100 129C120 129 135 118 135 90C131 100 124 102 117 102C111 98 104 99 100 101C96 99 89 98 83 102C76 102 69 100 65 90Z',
    opacity: 0.3,
  },
  moustache: {
    d: 'M83 108C88 99 96 100 100 103C104 100 112 99 117 108C111 109 104 108 100 106C96 108 89 109 83 108Z',
    opacity: 1,
  },
  goatee: {
    d: 'M86 106C90 99 97 100 100 102C103 100 110 99 114 106C115 122 112 134 100 135C88 134 85 122 86 106Z',
    opacity: 1,
  },
  flowing: {
    d: 'M63 84C61 122 76 158 100 160C124 158 139 122 137 84C133 98 126 102 117 103C111 98 104 99 100 101C96 99 89 98 83 103C74 102 67 98 63 84Z',
    opacity: 1,
  },
} as const
export type BeardStyle = keyof typeof beards

/** A beard, with the mouth in it. */
export function beardOf(style: BeardStyle, colour: string, x: number): string {
  const { d, opacity } = beards[style]
  const shift = `transform="translate(${((x - 100) * 0.6).toFixed(1)} 0)"`
  if (opacity < 1) return `<g ${shift}>${ground(d, colour, opacity)}</g>` + mouths.smile(x)
  const mouth =
    style === 'moustache'
      ? line(`M${x - 8} 113q8 5 16 0`)
      : ground(`M${x - 9} 108q9 3 18 0q-2 8-9 8t-9-8z`, '#f0c4b0') + line(`M${x - 9} 109q9 6 18 0`, 2)
  return `<g ${shift}>${shape(d, colour)}</g>${mouth}`
}

export const frames = {
  round: (near: number, far: number, colour: string) =>
    pair(near, far, colour, (x) => `<circle cx="${x}" cy="87" r="11"/>`),
  large: (near: number, far: number, colour: string) =>
    pair(near, far, colour, (x) => `<circle cx="${x}" cy="88" r="12.5"/>`, 3),
  square: (near: number, far: number, colour: string) =>
    pair(near, far, colour, (x) => `<rect x="${x - 11.5}" y="78" width="23" height="18" rx="5"/>`, 2.6),
  slim: (near: number, far: number, colour: string) =>
    pair(near, far, colour, (x) => `<rect x="${x - 11}" y="82" width="22" height="12" rx="6"/>`),
  pointed: (near: number, far: number, colour: string) =>
    pair(
      near,
      far,
      colour,
      (x) =>
        `<path d="M${x - 10} 84q0 12 10 12t10-12l${x < 100 ? '1-3' : '3-5'}q-12 1-${x < 100 ? '24-2' : '22 2'}z"/>`,
      2.6,
    ),
} as const
export type GlassesStyle = keyof typeof frames

function pair(near: number, far: number, colour: string, lens: (x: number) => string, width = 2.2): string {
  return `<g stroke="${colour}" stroke-width="${width}" fill="#ffffff" fill-opacity="0.26">${lens(near)}${lens(far)}<path d="M${near + 11} 86q${(far - near - 22) / 2}-3 ${far - near - 22} 0M${near - 11} 85L64 82M${far + 11} 85L136 82" fill="none"/></g>`
}

/** Lines of age, drawn lightly. */
export const wrinkles = (x: number) =>
  `<g opacity="0.4">${line(`M${x - 27} 84q-3 2-4 5M${x + 27} 84q3 2 4 5M${x - 18} 94q5 3 10 1M${x + 18} 94q-5 3-10 1`, 1.5)}</g>`

export const freckles = (x: number) =>
  `<g fill="#a9673f" stroke="none" opacity="0.6">${[-20, -15, -17.5, 15, 20, 17.5]
    .map((offset, index) => `<circle cx="${x + offset}" cy="${index % 3 === 2 ? 101 : 97.5}" r="1.1"/>`)
    .join('')}</g>`
