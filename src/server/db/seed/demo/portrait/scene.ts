import { circle, ground, line, shape } from './shapes.ts'

const sand = '#ecd9bd'
const sage = '#a9c9b1'
const pine = '#356b54'
const ember = '#e08a5c'
const surface = '#fffdf8'

/** What stands behind a person, drawn into 260 by 300 units from (-30, 0); `tint` is a shade of the ground. */
export const scenes = {
  plain: () => '',
  arch: (tint: string) => ground('M12 320V118a88 88 0 0 1 176 0v202z', tint),
  sun: (tint: string) => `<circle cx="100" cy="98" r="86" fill="${tint}" stroke="none"/>`,
  hill: (tint: string) =>
    ground('M-60 176C-20 130 40 126 90 152C140 178 190 120 270 138V330H-60Z', tint) +
    `<circle cx="168" cy="60" r="18" fill="${ember}" stroke="none" opacity="0.8"/>`,
  window: () =>
    shape('M-18 150V52a40 40 0 0 1 80 0v98z', surface) +
    line('M22 12v138M-18 74h80', 2) +
    line('M-28 150h100', 3),
  shelf: (tint: string) =>
    line('M128 66H240M128 130H240', 3) +
    shape('M146 66V34h12v32z', ember) +
    shape('M158 66V28h14v38z', sage) +
    shape('M172 66l8-34 12 3-8 31z', tint) +
    shape('M200 66V36h10v30z', pine) +
    shape('M152 130V98h14v32z', sand) +
    shape('M166 130V92h11v38z', pine) +
    shape('M196 130c-10-6-12-20-2-28h16c10 8 8 22-2 28z', surface),
  plant: () =>
    line('M176 230C172 180 182 140 176 84') +
    shape('M176 190c20-4 32-20 32-42-22 2-34 18-32 42z', sage) +
    shape('M175 160c-20-6-30-22-28-44 20 4 30 20 28 44z', sage) +
    shape('M177 126c18-4 28-18 28-38-20 2-30 16-28 38z', sage) +
    shape('M176 92c-14-4-20-16-18-32 14 4 20 16 18 32z', sage) +
    shape('M152 222h50l-8 60h-34z', ember),
  lamp: (tint: string) =>
    `<circle cx="26" cy="70" r="52" fill="${tint}" stroke="none"/>` +
    line('M26 84V320', 3) +
    shape('M-6 84H58L44 40H8Z', ember),
  picture: (tint: string) =>
    shape('M140 24H214V104H140Z', surface) +
    ground('M147 31H207V97H147Z', tint) +
    ground('M147 84C160 66 176 66 186 78C194 70 200 70 207 74V97H147Z', sage) +
    circle(190, 52, 7, ember),
} as const
export type Scene = keyof typeof scenes
