import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { googleCalendar } from '#server/integrations/calendar/google.ts'
import type { TestApp } from './build-test-app.ts'

export type SeenEvent = {
  id: string
  status: string
  summary: string
  description: string
  location: string
  start: { dateTime: string }
  end: { dateTime: string }
}
type Seen = {
  asked: { method: string; path: string; body: unknown }[]
  grants: number
  calendars: { id: string; owner: string; summary: string; events: SeenEvent[] }[]
}

export type OwnCalendars = Awaited<ReturnType<typeof ownCalendars>>

/** What stands in for Google on this machine, in a process of its own (`test/google-calendar.ts`). */
export async function ownCalendars(publicUrl = 'http://hearth.test') {
  const child = spawn(
    process.execPath,
    ['test/google-calendar.ts', `${publicUrl}/api/v7/therapist/google-calendar/callback`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [origin] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const control = async (what: string, body: unknown = {}) => {
    const answer = await fetch(`${origin}/control/${what}`, { method: 'POST', body: JSON.stringify(body) })
    if (answer.status !== 200) throw new Error(`control/${what} answered ${answer.status}`)
    return answer.json() as unknown
  }
  return {
    origin,
    provider: (now: () => Date) =>
      googleCalendar({
        clientId: 'calendar-client',
        clientSecret: 'calendar-secret',
        api: `${origin}/calendar/v3`,
        oauth: origin,
        now,
      }),
    look: async () => (await control('look')) as Seen,
    control,
    /** What the next calls that match are answered with; `late`: carried out, and never answered. */
    trouble: (match: string, trouble: { status?: number; reason?: string; late?: boolean; times?: number }) =>
      control('trouble', { match, ...trouble }),
    /** Goes through the consent page as a practitioner would. Returns the address that it redirects to. */
    async consent(url: string, answer: Record<string, string> = {}): Promise<URL> {
      const page = await fetch(url)
      if (page.status !== 200)
        throw new Error(`The consent page answered ${page.status}: ${await page.text()}`)
      const form = new URL('/consent', origin)
      const asked = new URL(url).searchParams
      for (const name of ['state', 'code_challenge', 'scope'])
        form.searchParams.set(name, asked.get(name) ?? '')
      for (const [name, value] of Object.entries({ answer: 'allow', ...answer }))
        form.searchParams.set(name, value)
      const sent = await fetch(form, { redirect: 'manual' })
      return new URL(sent.headers.get('location') ?? '')
    },
    async close() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

/** Connects a practitioner's calendar as their browser does. Returns the outcome. */
export async function connectCalendar(
  test: TestApp,
  google: OwnCalendars,
  token: string,
  answer: Record<string, string> = {},
): Promise<string> {
  const asked = await test.call('GET', '/therapist/request-google-calendar-access', { token })
  if (asked.status !== 200) throw new Error(`request-google-calendar-access answered ${asked.status}`)
  const kept = /^(hearth_calendar=[^;]+)/.exec(asked.headers.get('set-cookie') ?? '')?.[1] ?? ''
  return comeBack(test, await google.consent(asked.body as unknown as string, answer), kept)
}

/** Comes back from the consent page to the product. */
export async function comeBack(test: TestApp, address: URL, cookie: string): Promise<string> {
  const back = await fetch(`${test.origin}${address.pathname}${address.search}`, {
    redirect: 'manual',
    headers: { cookie },
  })
  const [, outcome] = /^\/calendar-connected\?outcome=(\w+)$/.exec(back.headers.get('location') ?? '') ?? []
  return outcome ?? `${back.status}`
}
