import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { slugOf } from '#server/http/development-mails.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { mailPreviews } from './mail-previews.ts'

const publicUrl = 'http://hearth.test'
const previews = mailPreviews(publicUrl)

describe('the list of mails', () => {
  test('has every template of every module, and no other', async () => {
    const files = globSync('src/server/modules/**/*.mails.ts')
    expect(files.length).toBeGreaterThan(6)
    const templates = await Promise.all(
      files.map(async (path) => {
        const name = /([^/]+)\.mails\.ts$/.exec(path)?.[1] ?? ''
        const module = (await import(/* @vite-ignore */ `../../../${path}`)) as Record<string, unknown>
        const [folder = ''] = /modules\/([^/]+)/.exec(path)?.slice(1) ?? []
        return Object.entries(module)
          .filter(([, value]) => typeof value === 'function')
          .map(([key]) => `${name === 'vetting' ? folder : name}.${key}`)
      }),
    )
    expect([...new Set(previews.map(({ template }) => template))].toSorted()).toEqual(
      templates.flat().toSorted(),
    )
  })

  test('would miss none: a module writes mails in files of that name alone', () => {
    const writers = globSync('src/server/modules/**/*.ts').filter((path) =>
      /\b(?:writeMail|mailTo\w+)\b[^;]*?from '[^']*\/mail\/(?:layout|recipients)\.ts'/.test(
        readFileSync(path, 'utf8'),
      ),
    )
    expect(writers.length).toBeGreaterThan(6)
    expect(writers.filter((path) => !path.endsWith('.mails.ts'))).toEqual([])
  })

  test('names each once', () => {
    const slugs = previews.map(slugOf)
    expect(new Set(slugs).size).toBe(slugs.length)
  })
})

test('links to a session and to its payment carry the sequence, in every mail that has them', () => {
  const paths = previews.flatMap(({ mail }) =>
    [...mail.text.matchAll(/\?return_to=(\S+)/g)].map(([, path = '']) => decodeURIComponent(path)),
  )
  const links = paths.filter((path) => /^\/(session|pay)\?/.test(path))
  expect(new Set(links.map((path) => path.split('?')[0]))).toEqual(new Set(['/session', '/pay']))
  expect(links.filter((path) => !/\?appointment=[\da-f-]{36}&sequence=\d+$/.test(path))).toEqual([])
})

test('a mail that lists dates of regular sessions names the zone of their times', () => {
  const dated = previews.filter(
    ({ template, mail }) => template.startsWith('series.') && /\d{4} at \d\d:\d\d/.test(mail.text),
  )
  expect(dated.length).toBeGreaterThan(10)
  expect(dated.filter(({ mail }) => !mail.text.includes('London time')).map(slugOf)).toEqual([])
})

describe.each(previews.map((preview) => [slugOf(preview), preview] as const))(
  'the mail %s',
  (_slug, { mail }) => {
    test('says the same in text and HTML, with nothing left out', () => {
      for (const form of [mail.subject, mail.text, mail.html]) {
        expect(form).not.toMatch(/undefined|\bnull\b|NaN|Invalid Date|\[object|\{\{|\$\{/)
        expect(form.length).toBeGreaterThan(8)
      }
      const plain = mail.html
        .replace(/<style>[\s\S]*?<\/style>|<[^>]+>/g, ' ')
        .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
        .replace(/\s+/g, ' ')
      const sentences = mail.text.split('\n').filter((line) => line !== '' && !/: https?:/.test(line))
      for (const line of sentences) {
        for (const part of line.split(': ')) expect(plain).toContain(part.replace(/\s+/g, ' ').trim())
      }
    })

    test('leads to the product, or to a practitioner’s own room', () => {
      const links = [...mail.html.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => url)
      expect(links.length).toBeGreaterThan(0)
      expect(
        links.filter((url) => !/^http:\/\/hearth\.test|^https:\/\/rooms\.example\.test/.test(url)),
      ).toEqual([])
    })
  },
)

describe('the pages', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await buildTestApp({ mailPreviews: previews })
  })
  afterAll(async () => app.close())
  const get = async (path: string) => {
    const answer = await fetch(`${app.origin}${path}`, { redirect: 'manual' })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  test('list every mail and show each, as HTML in a frame and as text, marked as made up', async () => {
    const list = await get('/development/mails')
    expect(list.status).toBe(200)
    expect(list.text).toContain('made-up data')
    for (const preview of previews) expect(list.text).toContain(`/development/mails/${slugOf(preview)}"`)
    const one = await get(
      `/development/mails/${previews.map(slugOf).find((slug) => slug.includes('day-before')) ?? ''}`,
    )
    expect(one.status).toBe(200)
    for (const part of ['made-up data', '<iframe', 'sandbox', '<pre', 'Your session is coming up']) {
      expect(one.text).toContain(part)
    }
    for (const { headers } of [list, one]) {
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-robots-tag')).toBe('noindex')
    }
    expect((await get('/development/mails/none')).status).toBe(303)
    // Others keep the rules of their own.
    expect((await get('/api/docs')).headers.get('content-security-policy')).not.toContain('frame-src')
  })

  test('are not there unless they are asked for', async () => {
    const plain = await buildTestApp()
    try {
      expect((await fetch(`${plain.origin}/development/mails`)).status).toBe(404)
    } finally {
      await plain.close()
    }
  })
})

test.each([
  'Visit http://evil.example now',
  'evil.example',
  '<b>evil</b>',
  '\u202eevil.example\u202c',
  `evil${'l'.repeat(4000)}`,
  'evil, your account is at risk. Call 020 7946 0000',
])('no mail repeats %j, typed as a name', (typed) => {
  const person = { email: 'alex@example.test', firstName: typed, lastName: typed, verified: true }
  const mails = mailPreviews(publicUrl, { client: person, practitioner: person })
  expect(mails.length).toBeGreaterThan(40)
  for (const { template, variant, mail } of mails) {
    const written = [mail.subject, mail.text, mail.html, mail.calendar?.content].join('\n')
    expect([template, variant, written]).toEqual([template, variant, expect.not.stringMatching(/evil/i)])
  }
})

test('a mail to a practitioner names a client by first name and initial, as the screens do', () => {
  const naming = mailPreviews(publicUrl).filter(
    ({ mail }) => mail.to === 'priya.patel@example.test' && mail.text.includes('Robin'),
  )
  expect(naming.length).toBeGreaterThan(20)
  for (const { template, variant, mail } of naming) {
    for (const text of [mail.subject, mail.text]) {
      expect([template, variant, text]).toEqual([
        template,
        variant,
        expect.not.stringMatching(/Robin(?! V\.)|Robin V\.\./),
      ])
    }
  }
})

test('a mail to an unconfirmed address contains no name and explains how to confirm the address', () => {
  const mails = mailPreviews(publicUrl).filter(({ variant }) => variant.includes('nobody has confirmed'))
  expect(mails.map(({ template }) => template)).toEqual(
    expect.arrayContaining([
      'bookings.sessionMail',
      'get-help.helpMail',
      'series.seriesMail',
      'series.formerClientMail',
      'waitlist.waitlistMail',
      'chat.unreadMail',
      'subscriptions.billingMail',
      'calendars.calendarEndedMail',
      'practitioners.vettingMail',
    ]),
  )
  for (const { mail } of mails) {
    expect(mail.subject).toBe('There is something new for you on Hearth')
    expect(mail.calendar).toBeUndefined()
    expect(mail.text).toContain('press “Send the link again” on your account page')
    expect(mail.text).toMatch(
      /Confirm this address: http:\/\/hearth\.test(\/therapist)?\/sign-in\?return_to=(%2Ftherapist)?%2Faccount%2Femail/,
    )
    // One fact of each kind that the other variants carry.
    expect(mail.text).not.toMatch(/Robin|Priya|£|June|Visa|rooms\.example|priya@gmail|DBS|complaint/)
  }
})

test('password mails and calls for help to an unconfirmed address contain no name and explain how to confirm it', () => {
  const mails = mailPreviews(publicUrl).filter(({ variant }) => variant.includes('whose address is not'))
  expect(mails.map(({ template }) => template)).toEqual([
    'accounts.passwordMail',
    'accounts.passwordChangedMail',
    'get-help.helpMail',
  ])
  for (const { template, mail } of mails) {
    expect(mail.text).toContain('This address is not confirmed yet')
    expect(mail.text).not.toMatch(/Robin|Priya/)
    // A new password confirms by itself.
    if (template === 'accounts.passwordMail') expect(mail.text).toContain('with this link confirms it')
    else expect(mail.text).toMatch(/Confirm this address: http:\/\/hearth\.test/)
  }
})
