import type { APIRequestContext } from '@playwright/test'
import { ownPractitioner } from './booking.ts'
import { expect, test } from './fixtures.ts'

const profilePath = ({ id }: { id: number }) => `/recommended-therapist?practitionerId=${id}`

type Data = { '@context': string; '@type': string; [name: string]: unknown }

/** What a search engine reads of a page: its HTML, without running anything. */
async function read(request: APIRequestContext, path: string) {
  const response = await request.get(path, { maxRedirects: 0 })
  const html = await response.text()
  const one = (pattern: RegExp) => pattern.exec(html)?.[1]?.replaceAll('&amp;', '&')
  return {
    status: response.status(),
    robots: response.headers()['x-robots-tag'],
    robotsInPage: one(/<meta name="robots" content="([^"]+)"/),
    title: one(/<title>([^<]+)<\/title>/),
    description: one(/<meta name="description" content="([^"]+)"/),
    canonical: one(/<link rel="canonical" href="([^"]+)"/),
    image: one(/<meta property="og:image" content="([^"]+)"/),
    shared: one(/<meta property="og:title" content="([^"]+)"/),
    data: [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
      ([, json = '']) => JSON.parse(json) as Data,
    ),
  }
}

test('public pages have the words of the specification', async ({ request }) => {
  const texts: [path: string, texts: string[]][] = [
    [
      '/',
      ['I need assistance', 'I know', 'Next step', 'Book online', 'Find out more', 'Find a Practitioner'],
    ],
    ['/find-therapist?filterType=know', ["it doesn't matter", 'Find my Therapist']],
    [
      '/found-therapists?session_type=online',
      ['List of Therapist or Psychiatrist', 'Filter results', 'See profile', 'Chat now'],
    ],
    ['/recommended-therapist?practitionerId=1', ['See all specializations']],
    ['/sign-in', ['Login as patient', 'Forgot password?']],
    ['/sign-up', ['Create an account', 'Continue with Email']],
    ['/get-help', ['Get help right now']],
  ]
  for (const [path, wanted] of texts) {
    const html = await (await request.get(path)).text()
    const shown = html
      .replace(/<script.*?<\/script>/gs, '')
      .replace(/<[^>]*>/g, ' ')
      .replaceAll('&#x27;', "'")
      .replace(/\s+/g, ' ')
    for (const text of wanted) expect(shown, path).toContain(text)
  }
  // From the home page, each leads to the list with what it is searched by first.
  const home = await (await request.get('/')).text()
  for (const text of ['Book online', 'Find out more', 'Find a Practitioner']) {
    const [, to] = new RegExp(`<a [^>]*href="([^"]*)"[^>]*>[^<]*${text}`).exec(home) ?? []
    expect([text, to]).toEqual([text, '/found-therapists?session_type=online'])
  }
})

test('public pages say what they are, where they are, and what they are about', async ({
  request,
  baseURL,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const expected: [path: string, canonical: string, types: string[]][] = [
    ['/', '/', ['Organization', 'WebSite']],
    ['/find-therapist', '/find-therapist', []],
    ['/found-therapists?session_type=online', '/found-therapists', ['ItemList', 'BreadcrumbList']],
    [`${profilePath(offer)}&type=online`, profilePath(offer), ['ProfessionalService', 'BreadcrumbList']],
    ['/frequently-asked-questions', '/frequently-asked-questions', ['FAQPage']],
    ['/privacy-policy', '/privacy-policy', []],
    ['/about-the-data', '/about-the-data', []],
    ['/accessibility', '/accessibility', []],
    ['/terms-and-conditions', '/terms-and-conditions', []],
  ]
  const titles = new Set<string | undefined>()
  for (const [path, canonical, types] of expected) {
    const page = await read(request, path)
    expect(page.status, path).toBe(200)
    expect(page.canonical, path).toBe(`${baseURL}${canonical}`)
    expect(page.robots, path).toBeUndefined()
    expect(page.robotsInPage, path).toBeUndefined()
    expect(page.description?.length, path).toBeGreaterThan(20)
    expect(page.shared, path).toBe(page.title)
    expect(
      page.data.map((each) => each['@type']),
      path,
    ).toEqual(types)
    expect(page.data.every((each) => each['@context'] === 'https://schema.org')).toBe(true)
    titles.add(page.title)
    const image = await request.get(page.image ?? '')
    expect(image.headers()['content-type']).toBe('image/png')
  }
  expect(titles.size).toBe(expected.length)

  const [practitioner] = (await read(request, profilePath(offer))).data
  expect(practitioner).toMatchObject({ name: offer.name, url: `${baseURL}${profilePath(offer)}` })
  const offers = practitioner?.makesOffer as { price: string; priceCurrency: string }[]
  expect(offers.map((each) => each.price)).toContain(offer.service.fee.toFixed(2))
  const questions = (await read(request, '/frequently-asked-questions')).data[0]?.mainEntity as {
    name: string
    acceptedAnswer: { text: string }
  }[]
  expect(questions.length).toBeGreaterThan(10)
  for (const { acceptedAnswer } of questions) expect(acceptedAnswer.text).toMatch(/\w{3}.*[.:]$/s)
})

test('private pages, lists by filters and pages that are none are kept out of search engines', async ({
  request,
}) => {
  for (const path of [
    '/my-sessions',
    '/account',
    '/sign-in',
    '/recommended-therapy',
    '/found-therapists?issue_id=1',
    '/no-such-page',
    '/recommended-therapist?practitionerId=999999',
  ]) {
    const page = await read(request, path)
    expect(page.robots, path).toBe('noindex')
    expect(page.canonical === undefined || page.status === 404, path).toBe(true)
  }
})

test('the product can be installed: its manifest names icons of the size they have', async ({ request }) => {
  const response = await request.get('/manifest.webmanifest')
  expect(response.headers()['content-type']).toContain('application/manifest+json')
  const manifest = (await response.json()) as { icons: { src: string; sizes: string }[] }
  const drawn = manifest.icons.filter(({ src }) => src.endsWith('.png'))
  expect(drawn.length).toBeGreaterThan(2)
  for (const { src, sizes } of drawn) {
    const bytes = await (await request.get(src)).body()
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
  }
})
