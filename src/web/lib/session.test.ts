import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let kept: Record<string, string>
/** Characters that fit into the tab's storage. */
let room: number

beforeEach(() => {
  kept = {}
  room = 10_000
  const methods = {
    getItem: (name: string) => kept[name] ?? null,
    setItem(name: string, text: string) {
      const others = Object.entries(kept).filter(([each]) => each !== name)
      if ([...others, [name, text]].flat().join('').length > room)
        throw new DOMException('full', 'QuotaExceededError')
      kept[name] = text
    },
    removeItem: (name: string) => Reflect.deleteProperty(kept, name),
  }
  vi.stubGlobal('window', {})
  // As in a browser, its own names are those of what is kept.
  Object.defineProperty(globalThis, 'sessionStorage', {
    configurable: true,
    get: () => Object.assign(Object.create(methods) as object, kept),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(globalThis, 'sessionStorage')
})

/** The modules of a page that has just been opened in the tab. */
async function openPage() {
  vi.resetModules()
  return { ...(await import('./session.ts')), ...(await import('./tab-texts.ts')) }
}

const answer = (name: string) => ({
  token: `token-${name}`,
  refresh_token: `refresh-${name}`,
  user: { first_name: name, last_name: 'Vale', email: `${name}@example.test`, practitioner_id: 7 },
})

test('a reload finds no part of the session before where storage had no room for the next one', async () => {
  const page = await openPage()
  page.startTherapistSession(answer('mary'))
  room = Object.entries(kept).flat().join('').length
  page.startClientSession(answer('robin-with-a-name-that-is-much-longer-than-the-first-one'))
  expect(page.readSession()).toMatchObject({ role: 'client' })
  const reloaded = await openPage()
  expect(reloaded.readSession()).toEqual({ role: 'anonymous' })
})

test('what was written in a tab stays for the account that signs in again, and goes with another one', async () => {
  const page = await openPage()
  page.startClientSession(answer('robin'))
  page.keepTabText('draft', 'A lantern in the fog.')
  page.endSession()
  const reloaded = await openPage()
  reloaded.startClientSession(answer('robin'))
  expect(reloaded.readTabText('draft')).toBe('A lantern in the fog.')
  reloaded.endSession()
  const next = await openPage()
  next.startClientSession(answer('wren'))
  expect(next.readTabText('draft')).toBeNull()
  expect(JSON.stringify(kept)).not.toMatch(/robin|lantern/)
})

test('what was entered into a form stays with the account whose email changes', async () => {
  const page = await openPage()
  const { keepEntered, readKept } = await import('./kept-form.ts')
  page.startClientSession(answer('robin'))
  keepEntered('review', { comment: 'A lantern in the fog.' })
  const { user } = answer('robin') as unknown as { user?: object }
  page.renewPerson({ ...page.personOf(page.readSession()), ...user, email: 'new@example.test' } as never)
  expect(readKept('review')).toEqual({ comment: 'A lantern in the fog.' })
})

test('what a visitor wrote in a tab stays for the account that signs in', async () => {
  const page = await openPage()
  page.keepTabText('draft', 'A lantern in the fog.')
  page.startClientSession(answer('robin'))
  expect(page.readTabText('draft')).toBe('A lantern in the fog.')
})

test('signing out leaves no trace of the account in the tab', async () => {
  const page = await openPage()
  page.startClientSession(answer('robin'))
  page.keepTabText('draft', 'A lantern in the fog.')
  page.forgetTabTexts()
  page.endSession()
  expect(kept).toEqual({})
})
