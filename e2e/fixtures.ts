import { test as base, type BrowserContext, type BrowserContextOptions, expect } from '@playwright/test'
import { type ChromiumKind, findInstalledChromium, installChromium } from '../scripts/find-chromium.ts'

export { expect } from '@playwright/test'

/** For the journeys of people who have not asked for less motion. */
export const inMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const

type JourneyFixtures = {
  /** Expects a complaint in the console, such as of the answer 402 to a declined card. */
  allowComplaint(pattern: RegExp): void
  /** Fails the test when a page of the context complains: see the test below. */
  watch(context: BrowserContext): void
  /** Another browser profile, watched as well. */
  openContext(options?: BrowserContextOptions): Promise<BrowserContext>
}

/**
 * A journey's test. It fails on every complaint in the console, every uncaught error, every breach of the content
 * security policy and every request to another origin, in all its windows.
 */
export const test = base.extend<
  JourneyFixtures & { complaints: Complaints },
  {
    /** `whole` where the shell has no part of what it is about: it shows no notifications, and remembers where the mouse was. */
    chromiumKind: ChromiumKind
    /** More of the command line that the browser is started with. */
    chromiumArguments: string[]
    /** What of the tool's command line the browser is started without. */
    chromiumWithout: string[]
  }
>({
  chromiumKind: ['shell', { option: true, scope: 'worker' }],
  chromiumArguments: [[], { option: true, scope: 'worker' }],
  chromiumWithout: [[], { option: true, scope: 'worker' }],
  launchOptions: [
    async ({ launchOptions, chromiumKind, chromiumArguments, chromiumWithout }, use) => {
      const executablePath = findInstalledChromium(chromiumKind)
      if (!executablePath) throw new Error(installChromium)
      await use({
        ...launchOptions,
        executablePath,
        args: [...(launchOptions.args ?? []), ...chromiumArguments],
        ignoreDefaultArgs: chromiumWithout,
      })
    },
    { scope: 'worker' },
  ],

  complaints: async ({ baseURL }, use) => {
    const complaints: Complaints = { origin: new URL(baseURL ?? '').origin, heard: [], allowed: [] }
    await use(complaints)
    const unexpected = complaints.heard.filter((text) => !complaints.allowed.some((each) => each.test(text)))
    expect(unexpected, 'what the pages complained of').toEqual([])
  },

  allowComplaint: async ({ complaints }, use) => {
    await use((pattern) => complaints.allowed.push(pattern))
  },

  watch: async ({ complaints }, use) => {
    await use((context) => {
      context.on('console', (message) => {
        if (message.type() !== 'error' && message.type() !== 'warning') return
        // Said by the tool itself where a journey goes without the offline page.
        if (message.text() === 'Service Worker registration blocked by Playwright') return
        const { url } = message.location()
        // That there is no subscription or card yet is an answer, which browsers complain of all the same.
        if (/status of 404/.test(message.text()) && noneYet.test(new URL(url, complaints.origin).pathname))
          return
        // A look for requests is on its way at any time, and is refused when it meets with signing out.
        if (/status of 401/.test(message.text()) && ownLook.test(new URL(url, complaints.origin).pathname))
          return
        complaints.heard.push(`${message.type()}: ${message.text()} (${url})`)
      })
      context.on('weberror', (error) => {
        complaints.heard.push(`uncaught: ${error.error().stack ?? error.error().message}`)
      })
      context.on('request', (request) => {
        const url = new URL(request.url())
        if (url.origin === complaints.origin || ['data:', 'blob:', 'about:'].includes(url.protocol)) return
        complaints.heard.push(`request to another origin: ${url.href}`)
      })
      const { host } = new URL(complaints.origin)
      context.on('page', (page) =>
        page.on('websocket', (socket) => {
          if (new URL(socket.url()).host === host) return
          complaints.heard.push(`socket to another origin: ${socket.url()}`)
        }),
      )
    })
  },

  context: async ({ context, watch }, use) => {
    watch(context)
    await use(context)
  },

  page: async ({ page }, use) => {
    await use(page)
    // What a journey answers for the server may still be on its way when the journey has ended.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  },

  openContext: async ({ browser, watch }, use) => {
    const opened: BrowserContext[] = []
    await use(async (options) => {
      const context = await browser.newContext(options)
      watch(context)
      opened.push(context)
      return context
    })
    await Promise.all(opened.map((context) => context.close()))
  },
})

const noneYet = /^\/api\/v7\/therapist\/(subscription|payment\/card)$/

const ownLook = /^\/api\/v7\/therapist\/(get-help\/requests|refresh-token)$/

type Complaints = { origin: string; heard: string[]; allowed: RegExp[] }
