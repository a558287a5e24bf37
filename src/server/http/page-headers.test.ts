import { expect, test } from 'vitest'
import type { SiteFacts } from '#web/lib/server-context.ts'
import { pageHeaders } from './page-headers.ts'

const site = {
  origin: 'https://hearth.test',
  contactEmail: 'hello@hearth.test',
  appStoreUrl: null,
  playStoreUrl: null,
  identityProvider: null,
  files: null as string | null,
  identityButton: null,
}
const stripe = { provider: 'stripe', publishableKey: 'pk_test_1' } as const

function policyWith(payment: SiteFacts['payment'], more: Partial<SiteFacts> = {}): Record<string, string> {
  const policy =
    pageHeaders(["'sha256-n'"], 'production', { ...site, payment, ...more }, '/')[
      'content-security-policy'
    ] ?? ''
  return Object.fromEntries(
    policy.split('; ').map((line) => line.split(/ (.*)/).slice(0, 2) as [string, string]),
  )
}

test('without a payment provider of its own script, no other origin runs, frames or is called', () => {
  expect(policyWith({ provider: 'sandbox' })).toMatchObject({
    'script-src': "'self' 'sha256-n'",
    'frame-src': "'self' https://www.youtube-nocookie.com",
    'connect-src': "'self' wss://hearth.test",
  })
})

test('Stripe.js may run, show its frames and call Stripe where it is configured, and nothing else is wider', () => {
  const plain = policyWith({ provider: 'sandbox' })
  const paid = policyWith({ ...stripe, script: 'https://js.stripe.com/endive/stripe.js', isReal: true })
  expect(paid).toEqual({
    ...plain,
    'script-src': "'self' 'sha256-n' https://js.stripe.com https://*.js.stripe.com",
    'frame-src':
      "'self' https://www.youtube-nocookie.com https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
    'connect-src': "'self' wss://hearth.test https://api.stripe.com",
  })
})

test('pictures and videos may come from the bucket where browsers are sent to it, and nothing else', () => {
  const plain = policyWith({ provider: 'sandbox' })
  const direct = policyWith({ provider: 'sandbox' }, { files: 'https://files.example' })
  expect(direct).toEqual({
    ...plain,
    'img-src': "'self' blob: https://files.example",
    'media-src': "'self' https://files.example",
  })
})

test("Google's button brings what lies beside its script, and lets its window answer", () => {
  const plain = policyWith({ provider: 'sandbox' })
  const button = { script: 'https://accounts.google.com/gsi/client', clientId: 'one' }
  const google = policyWith({ provider: 'sandbox' }, { identityButton: button })
  expect(google).toEqual({
    ...plain,
    'script-src': "'self' 'sha256-n' https://accounts.google.com/gsi/client",
    'style-src': `${plain['style-src']} https://accounts.google.com/gsi/style`,
    'frame-src': "'self' https://www.youtube-nocookie.com https://accounts.google.com/gsi/",
    'connect-src': "'self' wss://hearth.test https://accounts.google.com/gsi/",
    'trusted-types': 'default goog#html',
  })
  const opener = (identityButton: SiteFacts['identityButton']) =>
    pageHeaders([], 'production', { ...site, payment: { provider: 'sandbox' }, identityButton }, '/')[
      'cross-origin-opener-policy'
    ]
  expect([opener(null), opener(button)]).toEqual(['same-origin', 'same-origin-allow-popups'])
})

test('a script that stands in for it brings its own origin alone', () => {
  const tried = policyWith({ ...stripe, script: 'http://127.0.0.1:4001/stripe.js', isReal: false })
  expect(tried['script-src']).toBe("'self' 'sha256-n' http://127.0.0.1:4001")
  expect(tried['connect-src']).toBe("'self' wss://hearth.test http://127.0.0.1:4001")
  expect(JSON.stringify(tried)).not.toContain('stripe.com')
})

test.each([
  ['/session-room', 'camera=(self), microphone=(self)'],
  ['/session-room/', 'camera=(self), microphone=(self)'],
  ['/', 'camera=(), microphone=()'],
  ['/session', 'camera=(), microphone=()'],
  ['/session-rooms', 'camera=(), microphone=()'],
  ['/session-room/more', 'camera=(), microphone=()'],
])('camera and microphone are for the room of a session alone: %s', (path, devices) => {
  const headers = pageHeaders([], 'production', { ...site, payment: { provider: 'sandbox' } }, path)
  expect(headers['permissions-policy']).toBe(`${devices}, geolocation=(), interest-cohort=()`)
})
