import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'
import { type Look, narrow, rules, screens, wide } from './axe-screens.ts'
import { expect } from './fixtures.ts'

export { narrow, screens, wide }

/** What a page has that is looked at in both looks: for a context, or for `test.use`. */
export const walking = {
  colorScheme: narrow.colorScheme,
  viewport: narrow.viewport,
} as const

/** Puts a page into a look. Both changes at once: the page's styles are computed once. */
export async function wear(page: Page, { colorScheme, viewport }: Look): Promise<void> {
  await Promise.all([page.emulateMedia({ colorScheme }), page.setViewportSize(viewport)])
}

/**
 * Waits until a page stands still, for five seconds at most: what watches its size answers in the first of two frames,
 * and what moves has arrived. What goes round for ever is not waited for.
 */
const standStill = `(async () => {
  const frame = () => new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done))
    setTimeout(done, 200)
  })
  const isMoving = () => document.getAnimations().some((each) =>
    each.playState === 'running' && each.effect?.getComputedTiming().endTime !== Infinity)
  const longest = performance.now() + 5000
  do {
    await frame()
    await frame()
  } while (isMoving() && performance.now() < longest)
})()`

/** Looks at screens one by one, and knows in the end whether all paths have been on the screen. */
export function looker(page: Page, paths: readonly string[]) {
  const seen = new Set<string>()
  return {
    /**
     * Looks at a screen in the narrow look, in which the page is, and in the wide one. Fails, and goes on, for each
     * thing that axe finds, and where the page scrolls sideways.
     * `in`: the one look that has the screen; the page wears it already.
     * `reopen`: opens again what closes where the page changes its width.
     */
    async look(
      screen: string,
      { in: only, reopen }: { in?: Look; reopen?(): Promise<void> } = {},
    ): Promise<void> {
      seen.add(new URL(page.url()).pathname)
      await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0)
      // Some screens come alive before they know who is looking, and have nothing but their frame until then.
      await expect(page.locator('h1').first()).toBeAttached()
      if (only) return await lookOnce(page, `${screen}, ${only.name}`)
      const open = await page.evaluate<string[]>(opened)
      await lookOnce(page, `${screen}, ${narrow.name}`)
      await wear(page, wide)
      await reopen?.()
      expect(await page.evaluate(opened), `what is open stays so at ${wide.name}: ${screen}`).toEqual(open)
      await lookOnce(page, `${screen}, ${wide.name}`)
      await wear(page, narrow)
      await reopen?.()
    },
    expectAllSeen(): void {
      expect([...seen]).toEqual(
        expect.arrayContaining(paths.map((path) => (path === '/*' ? '/no-such-page' : path))),
      )
    },
  }
}

/** The roles of what lies over the page. */
const opened = `[...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=listbox], [role=menu], [role=tooltip]')]
  .filter((each) => each.checkVisibility()).map((each) => each.role)`

async function lookOnce(page: Page, screen: string): Promise<void> {
  await page.evaluate(standStill)
  await savePicture(page, screen)
  const { violations, passes, frames } = await runAxe(page)
  expect.soft(violations, `axe: ${screen}`).toEqual([])
  expect(passes, `axe had something to look at: ${screen}`).toBeGreaterThan(10)
  expect(frames, `axe looks into no frames: ${screen}`).toBe(0)
  const read = await page.locator('body').ariaSnapshot()
  const torn = read.split('\n').filter((line) => /\p{L} [,.;:!?)]/u.test(line))
  expect.soft(torn, `words are read without a gap before a comma: ${screen}`).toEqual([])
  const [width, room] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )
  expect.soft(width, `nothing sticks out sideways: ${screen}`).toBeLessThanOrEqual(room)
  expect.soft(await page.evaluate(badlySetLegends), `legends that Safari sets badly: ${screen}`).toEqual([])
}

/** Safari counts the legend twice of a fieldset that is an item of a column, and puts a floating one on a line of its own. */
const badlySetLegends = `[...document.querySelectorAll('fieldset > legend')].filter((legend) => {
  const { position, float } = getComputedStyle(legend)
  const { display, flexDirection } = getComputedStyle(legend.parentElement.parentElement)
  const isInColumn = display.endsWith('flex') && flexDirection.startsWith('column')
  return legend.checkVisibility() && position === 'static' && (isInColumn || float !== 'none')
}).map((legend) => legend.textContent)`

/** Saves pictures of each look, light and dark, into the folder `E2E_PICTURES`, if one is given, to be judged by eye. */
async function savePicture(page: Page, screen: string): Promise<void> {
  const folder = process.env.E2E_PICTURES
  if (!folder) return
  const name = `${new URL(page.url()).pathname} ${screen}`.replaceAll(/[^\w]+/g, '-')
  const worn = screen.endsWith(narrow.name) ? narrow.colorScheme : wide.colorScheme
  for (const colorScheme of ['light', 'dark', worn] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(standStill)
    await page.screenshot({ path: join(folder, `${name}-in-${colorScheme}.png`), fullPage: true })
  }
}

type Findings = {
  violations: { id: string; help: string; where: string[] }[]
  /** How many rules found what they are for, and nothing wrong with it. */
  passes: number
  frames: number
}

declare const window: {
  frames: { length: number }
  axe: { run(where: string, options: RunOptions): Promise<AxeResults> }
}

declare const document: {
  querySelector(selector: string): { scrollIntoView(options: { block: 'center' }): void } | null
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let axeSource: string | undefined

/** Puts axe into a document once, and brings back what it finds alone: its whole report takes longer than finding it. */
async function runAxe(page: Page): Promise<Findings> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) {
    axeSource ??= readFileSync(axeFile, 'utf8')
    await page.evaluate(axeSource)
  }
  return page.evaluate(async (tags): Promise<Findings> => {
    const { violations, passes } = await window.axe.run('html', {
      runOnly: { type: 'tag', values: tags },
      resultTypes: ['violations'],
    })
    // What a bar at the edge of the screen covers half is too small there alone: it is looked at in the middle.
    const size = 'target-size'
    for (const violation of violations.filter(({ id }) => id === size)) {
      const small: typeof violation.nodes = []
      for (const node of violation.nodes) {
        const selector = node.target.join(' ')
        document.querySelector(selector)?.scrollIntoView({ block: 'center' })
        const again = await window.axe.run(selector, { runOnly: { type: 'rule', values: [size] } })
        if (again.violations.length > 0) small.push(node)
      }
      violation.nodes = small
    }
    return {
      violations: violations
        .filter(({ nodes }) => nodes.length > 0)
        .map(({ id, help, nodes }) => ({
          id,
          help,
          where: nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`),
        })),
      passes: passes.length,
      frames: window.frames.length,
    }
  }, rules)
}
