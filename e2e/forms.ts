import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** A required field: the name of the control that takes the focus, and what makes it right. The last one stays wrong. */
export type RequiredField = [name: string | RegExp, mend?: string | ((within: Locator) => Promise<unknown>)]

export type FormWalk = {
  submit: string | RegExp
  /** In the order of the screen. `tick` is what makes a box or choice right. */
  fields: RequiredField[]
  /** Where the form stands: the page, or its dialog. */
  within?: Locator
  /** What is wrong is known to the server alone. */
  isSent?: boolean
}

/**
 * Submits a form with every field wrong, then puts them right one by one, so that each is the first wrong one in turn:
 * all of them are marked at once, the first has the focus and is in view, its error is in its description, and no work is
 * announced that is not done.
 * @param form the file of the form below src/web, without its ending
 */
export async function walkForm(
  page: Page,
  form: string,
  { submit, fields, within = page.getByRole('main'), isSent = false }: FormWalk,
): Promise<void> {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && /\/api\/(?!v7\/chat\/session)/.test(request.url()))
      sent.push(request.url())
  })
  await page.evaluate(listen)
  const focused = within.locator(':focus')
  for (const [at, [name, mend]] of fields.entries()) {
    const left = fields.length - at
    await page.evaluate('globalThis.heard = []')
    await within.getByRole('button', { name: submit }).click()
    const where = `${form}, ${name}`
    await expect(within.locator('[data-invalid]'), `all that is wrong is marked: ${where}`).toHaveCount(left)
    await expect(focused, where).toHaveAccessibleName(name)
    await expect.poll(() => focused.evaluate(isInView), where).toBe(true)
    const error = await focused.evaluate(errorOf)
    expect(error, `an error stands at the field: ${where}`).toMatch(/^\p{Lu}.*\.$/u)
    await expect(focused, where).toHaveAccessibleDescription(new RegExp(escaped(error)))
    if (left > 1) await expect.poll(() => heard(page), where).toContain(`${left} fields need another look.`)
    if (!isSent) {
      const others = (await heard(page)).filter((text) => text !== error && !/need another look/.test(text))
      expect(others, `nothing else is announced: ${where}`).toEqual([])
    }
    if (left > 1) await mended(focused, within, mend)
  }
  if (!isSent) expect(sent, `nothing is sent: ${form}`).toEqual([])
}

async function mended(focused: Locator, within: Locator, mend: RequiredField[1]): Promise<void> {
  if (typeof mend === 'function') await mend(within)
  else if (mend === 'tick') await focused.check({ force: true })
  else if (mend !== undefined) await focused.fill(mend)
}

const heard = (page: Page) => page.evaluate<string[]>('globalThis.heard')

/**
 * Writes down what live regions say from now on. Except for alerts, a region that is inserted with its words in it is not
 * heard: screen readers do not listen to it yet.
 */
const listen = `(() => {
  globalThis.heard = []
  const regions = '[aria-live], [role=status], [role=alert], [role=log], output'
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
    const spoken = new Set([...changes.map(({ target }) => target), ...added].map((node) =>
      (node.nodeType === 1 ? node : node.parentElement)?.closest(regions)))
    for (const region of spoken) {
      if (!region || region.getAttribute('aria-live') === 'off') continue
      if (region.role !== 'alert' && added.some((node) => node.contains(region))) continue
      const text = region.textContent.trim()
      if (text) globalThis.heard.push(text)
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
})()`

/** Whether the control, or the label that is drawn for it, is wholly in the window. */
function isInView(control: Placed): boolean {
  const { top, bottom } = (
    (control.matches('.sr-only') && control.closest('label')) ||
    control
  ).getBoundingClientRect()
  return top >= 0 && bottom <= (globalThis as unknown as { innerHeight: number }).innerHeight
}
type Placed = {
  matches(selector: string): boolean
  closest(selector: string): Placed | null
  getBoundingClientRect(): { top: number; bottom: number }
}

/** The error of the field that has the focus. */
const errorOf = (control: {
  closest(selector: string): { querySelector(selector: string): Texted } | null
}) => control.closest('[data-invalid]')?.querySelector('[id$="-error"]')?.textContent?.trim() ?? ''
type Texted = { textContent: string | null } | null

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
