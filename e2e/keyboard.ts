import type { Locator, Page } from '@playwright/test'
import { dayLabel, timeWords, weekTurns } from './booking.ts'
import { expect } from './fixtures.ts'

type Keyboard = ReturnType<typeof keyboardOf>

/** Turns to the week, moves to the day and the time with arrows. */
export async function chooseTimeByKeyboard(keys: Keyboard, area: Locator, instant: string): Promise<void> {
  for (const turn of await weekTurns(area, instant)) await keys.press(turn, 'Enter')
  const day = area.getByRole('radio', { name: new RegExp(`^${dayLabel(instant)}\\b`) })
  await expect(day).toBeEnabled()
  await keys.reach(area.getByRole('group', { name: 'Day' }).getByRole('radio', { checked: true }), 'Tab')
  await keys.arrowTo(day)
  const times = area.getByRole('group', { name: `Free times on ${dayLabel(instant)}` })
  await keys.reach(times.getByRole('radio').first(), 'Tab')
  await keys.arrowTo(times.getByRole('radio', { name: timeWords(instant) }))
}

/** The most stops there may be on the way to something. */
const mostStops = 120

/** Tab, Shift+Tab, Enter, Space and arrows alone; the focus is looked at after every stop. */
export function keyboardOf(page: Page) {
  /** Goes on, stop by stop, until the focus is there. */
  async function reach(target: Locator, key: 'Tab' | 'Shift+Tab'): Promise<void> {
    await expect(target).toBeVisible()
    for (let stop = 0; stop < mostStops; stop++) {
      if (await isFocused(target)) return
      await page.keyboard.press(key)
      await expectSeen()
    }
    throw new Error(`The focus does not get to ${String(target)} within ${mostStops} stops.`)
  }

  /** The focus is on something, can be seen, and is under nothing else. */
  async function expectSeen(): Promise<void> {
    await expect.poll(() => page.evaluate<string>(focusReport)).toMatch(/^seen/)
  }

  return {
    reach,
    page,
    expectSeen,
    /** The focus has not fallen back to the page. */
    async expectKept(): Promise<void> {
      await expect.poll(() => page.evaluate<string>('document.activeElement?.tagName ?? ""')).not.toBe('BODY')
    },
    async press(target: Locator, key: 'Enter' | 'Space'): Promise<void> {
      await reach(target, 'Tab')
      await page.keyboard.press(key)
    },
    async pressBackwards(target: Locator, key: 'Enter' | 'Space'): Promise<void> {
      await reach(target, 'Shift+Tab')
      await page.keyboard.press(key)
    },
    async type(field: Locator, text: string): Promise<void> {
      await reach(field, 'Tab')
      await page.keyboard.type(text)
    },
    /** Moves within a group by arrows until this radio is the chosen one. */
    async arrowTo(radio: Locator): Promise<void> {
      for (let step = 0; step < mostStops; step++) {
        if (await isFocused(radio)) {
          if (!(await radio.isChecked())) await page.keyboard.press('Space')
          return expect(radio).toBeChecked()
        }
        await page.keyboard.press('ArrowRight')
        await expectSeen()
      }
      throw new Error(`Arrows do not get to ${String(radio)}.`)
    },
  }
}

async function isFocused(target: Locator): Promise<boolean> {
  return (await target.and(target.page().locator(':focus')).count()) > 0
}

/**
 * Evaluated in the page: 'seen' when the focused element, or the label that stands for it, has a mark of the focus, is
 * in sight and is not covered; else what is wrong with it.
 */
const focusReport = `(() => {
  const focused = document.activeElement
  if (!focused || focused === document.body) return 'lost'
  const face = focused.matches('label .sr-only') ? focused.closest('label') : focused
  if (!face) return 'without a face: ' + focused.outerHTML.slice(0, 200)
  const about = ' ' + face.outerHTML.slice(0, 200)
  const marked = [face, focused, face.closest('label')].some((element) => {
    if (!element) return false
    const style = getComputedStyle(element)
    return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
  })
  if (!marked) return 'without a mark:' + about
  const box = face.getBoundingClientRect()
  const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth)
  const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight)
  if (right - left < 4 || bottom - top < 4) return 'out of sight:' + about
  const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  const belongs = at && (face.contains(at) || at.contains(face) || face.closest('label')?.contains(at))
  return belongs ? 'seen' + about : 'covered by ' + (at?.outerHTML.slice(0, 120) ?? 'nothing') + ':' + about
})()`
