import { bodyPath, clothes, gestures, patterns } from './clothes.ts'
import { beardOf, eyes, frames, freckles, headShapes, mouths, wrinkles } from './face.ts'
import { hairOf } from './hair.ts'
import type { PortraitKey } from './key.ts'
import { scenes } from './scene.ts'
import { circle, ground, INK, line, shape } from './shapes.ts'

/** Side of a portrait's document in pixels. */
export const PORTRAIT_SIDE = 704

/** How much of the drawing a portrait shows, in its units. */
const sides = { close: 160, near: 184, half: 218 } as const
const SIDE_WITH_HANDS = 242
/** Darker than the line, so that a face reads on every skin. */
const FEATURES = '#261d17'

/** The square of the drawing that is shown. Wide or high hair is never cut off. */
function framing({ frame, offset, hairStyle, gesture }: PortraitKey): string {
  const { top, reach } = hairOf(hairStyle, '', '')
  const wanted = gesture === 'none' || gesture === 'chin' ? sides[frame] : SIDE_WITH_HANDS
  const side = Math.max(wanted, reach * 2 + 48)
  const room = Math.max(0, side / 2 - reach - 20)
  const x = 100 - side / 2 + offset * Math.min(room, side * 0.06)
  const y = Math.min(top - side * 0.085, 14)
  return [x, y, side, side].map((part) => part.toFixed(1)).join(' ')
}

function face(key: PortraitKey): string {
  const { turn } = key
  const left = 87 + turn * (turn > 0 ? 7 : 5)
  const right = 113 + turn * (turn > 0 ? 5 : 7)
  const middle = 100 + turn * 6
  const side = turn >= 0 ? 1 : -1
  return [
    key.beard === 'none' ? '' : beardOf(key.beard, `#${key.hair}`, middle),
    `<g fill="#d9714c" stroke="none" opacity="0.22"><circle cx="${middle - 22}" cy="102" r="7"/><circle cx="${middle + 22}" cy="102" r="7"/></g>`,
    key.marks === 'freckles' ? freckles(middle) : key.marks === 'wrinkles' ? wrinkles(middle) : '',
    line(`M${left - 7} 77q7-5 13-1M${right - 6} 76q6-4 13 1`, 2.5, `#${key.brow}`),
    eyes[key.eyes](left, right),
    line(`M${middle} 88q${side * 5} 9-${side} 12`.replace('9--', '9 ')),
    key.beard === 'none' ? mouths[key.mouth](middle) : '',
    key.glasses === 'none' ? '' : frames[key.glasses](left, right, `#${key.glassesColour}`),
  ]
    .join('')
    .replaceAll(INK, FEATURES)
}

function ears({ turn, hasEarrings }: PortraitKey, skin: string): string {
  const at = (x: number, isShown: boolean) =>
    isShown ? circle(x, 89, 7.5, skin) + (hasEarrings ? circle(x, 99, 3, '#e3b04b') : '') : ''
  return at(63, turn > -0.8) + at(137, turn < 0.8)
}

/**
 * Draws a portrait as a square SVG document. The hand is that of the illustrations of the web: a round line, flat
 * colour, a calm face.
 */
export function portraitSvg(key: PortraitKey): string {
  const skin = `#${key.skin}`
  const wear = { top: `#${key.clothing}`, second: `#${key.second}`, skin }
  const hair = hairOf(key.hairStyle, `#${key.hair}`, `#${key.cloth}`)
  const body = bodyPath(key.shoulders)
  const head = (content: string) =>
    `<g transform="rotate(${key.tilt} 100 136) translate(${(key.turn * 2).toFixed(1)} 0)">${content}</g>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PORTRAIT_SIDE}" height="${PORTRAIT_SIDE}" viewBox="${framing(key)}">`,
    `<g fill="none" stroke="${INK}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round">`,
    `<rect x="-200" y="-200" width="700" height="700" fill="#${key.background}" stroke="none"/>`,
    `<g${key.isMirrored ? ' transform="translate(200 0) scale(-1 1)"' : ''}>`,
    scenes[key.scene](`#${key.tint}`),
    head(hair.behind ?? ''),
    shape(body, wear.top),
    `<clipPath id="body"><path d="${body}"/></clipPath>`,
    `<g clip-path="url(#body)">${patterns[key.pattern](wear.second)}</g>`,
    `<path d="${body}"/>`,
    line(`M${128 - key.shoulders} 300V246M${72 + key.shoulders} 300V246`, 2),
    clothes[key.clothes](wear),
    head(
      (hair.hidesEars ? '' : ears(key, skin)) +
        shape(headShapes[key.headShape], skin) +
        ground('M70 112C80 128 120 128 130 112C124 134 112 128 100 128S76 134 70 112Z', INK, 0.05) +
        face(key) +
        (hair.above ?? ''),
    ),
    hair.front ? head(hair.front) : '',
    key.gesture === 'none'
      ? ''
      : `<g transform="translate(0 ${key.gesture === 'chin' ? 0 : -20})">${gestures[key.gesture](wear)}</g>`,
    '</g></g></svg>',
  ].join('')
}
