import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepStaying, stayingRoles } from './staying.ts'

let stored: Map<string, string>
let cookies: Map<string, string>

beforeEach(() => {
  stored = new Map()
  cookies = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  })
  vi.stubGlobal('document', {
    get cookie() {
      return [...cookies].map((pair) => pair.join('=')).join('; ')
    },
    set cookie(text: string) {
      expect(text).toMatch(/^\w+=; Path=\/; Max-Age=0; Secure$/)
      cookies.delete(text.slice(0, text.indexOf('=')))
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a role stays signed in by the storage of the browser alone', () => {
  expect(stayingRoles()).toEqual([])
  keepStaying('therapist', true)
  expect(stayingRoles()).toEqual(['therapist'])
})

test('a role stays signed in by the cookie alone, once the browser has deleted its storage', () => {
  cookies.set('other', 'yes').set('hearth_stays_client', 'yes')
  expect(stayingRoles()).toEqual(['client'])
})

test('a sign-out that does not reach the server leaves neither, and the other role as it is', () => {
  keepStaying('client', true)
  cookies.set('hearth_stays_client', 'yes').set('hearth_stays_therapist', 'yes')
  keepStaying('client', false)
  expect(stayingRoles()).toEqual(['therapist'])
  expect(stored.size).toBe(0)
})

test('a browser that forbids storage starts signed out', () => {
  const refuse = () => {
    throw new DOMException('Access is denied.', 'SecurityError')
  }
  vi.stubGlobal('document', {
    get cookie() {
      return refuse()
    },
    set cookie(_text: string) {
      refuse()
    },
  })
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  keepStaying('client', true)
  keepStaying('client', false)
  expect(stayingRoles()).toEqual([])
})
