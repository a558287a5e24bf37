import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8')
const tokens = new Map(
  [...css.matchAll(/--color-([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map((found) => [
    found[1]!,
    { light: found[2]!, dark: found[3]! },
  ]),
)

const grounds = ['paper', 'surface', 'raised', 'sunken']
const textPairs: [text: string, ground: string][] = [
  ...['ink', 'soft', 'faint', 'action', 'ember-text', 'danger'].flatMap((text) =>
    grounds.map((ground): [string, string] => [text, ground]),
  ),
  ['on-action', 'action'],
  ['on-action', 'action-strong'],
  ['on-action-soft', 'action-soft'],
  ['ink', 'action-soft'],
  ['soft', 'action-soft'],
  ['ember-text', 'ember-soft'],
  ['ink', 'ember-soft'],
  ['soft', 'ember-soft'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-strong'],
  ...['danger', 'warning', 'info'].flatMap((kind): [string, string][] => [
    [kind, `${kind}-soft`],
    ['ink', `${kind}-soft`],
  ]),
]
/** What must be seen to be operated: WCAG 2.2, 1.4.11. */
const shapePairs = ['edge', 'focus', 'action', 'danger', 'ember'].flatMap((shape) =>
  grounds.map((ground): [shape: string, ground: string] => [shape, ground]),
)

test.each(['light', 'dark'] as const)(
  'every text of the %s theme has at least 4.5:1 on its ground',
  (theme) => {
    expect(tooWeak(textPairs, theme, 4.5)).toEqual([])
  },
)

test.each(['light', 'dark'] as const)(
  'every edge, mark and focus ring of the %s theme has at least 3:1',
  (theme) => {
    expect(tooWeak(shapePairs, theme, 3)).toEqual([])
  },
)

function tooWeak(pairs: [string, string][], theme: 'light' | 'dark', least: number): string[] {
  return pairs.flatMap(([front, ground]) => {
    const ratio = contrast(colour(front, theme), colour(ground, theme))
    return ratio < least ? [`${front} on ${ground}: ${ratio.toFixed(2)}`] : []
  })
}

function colour(name: string, theme: 'light' | 'dark'): string {
  const token = tokens.get(name)
  if (!token) throw new Error(`theme.css has no colour ${name}`)
  return token[theme]
}

/** WCAG 2.2 relative luminance and contrast ratio. */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
