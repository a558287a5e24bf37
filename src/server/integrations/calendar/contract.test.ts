import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ownCalendars, type OwnCalendars } from '#test/own-calendar.ts'
import { CalendarProblem, type CalendarProvider } from './port.ts'

/** What every provider has to be able to do. */
type Host = { google: OwnCalendars; provider: CalendarProvider }
const hosts: Record<string, () => Promise<Host>> = {
  google: async () => {
    const google = await ownCalendars()
    return { google, provider: google.provider(() => new Date()) }
  },
}

describe.each(Object.entries(hosts))('%s', (_name, start) => {
  let google: OwnCalendars
  let provider: CalendarProvider
  let grant: string
  let calendarId: string
  const journey = {
    redirectUri: 'http://hearth.test/api/v7/therapist/google-calendar/callback',
    state: 'a-state',
    verifier: 'v'.repeat(43),
  }
  const event = {
    startsAt: new Date('2026-06-08T09:00:00Z'),
    endsAt: new Date('2026-06-08T09:50:00Z'),
    summary: 'Session on Hearth',
    description: 'Words',
    location: 'Online',
  }
  const moved = {
    ...event,
    startsAt: new Date('2026-06-09T09:00:00Z'),
    endsAt: new Date('2026-06-09T09:50:00Z'),
  }
  const consent = async (answer: Record<string, string> = {}, how = journey) => {
    const back = await google.consent(provider.begin(journey).href, answer)
    return provider.finish(back.searchParams.get('code') ?? '', how)
  }
  const why = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof CalendarProblem ? error.why : String(error)),
    )
  const at = (eventId = 'hearth0123456789') => ({ calendarId, eventId })
  const events = async () => (await google.look()).calendars.flatMap((calendar) => calendar.events)

  beforeAll(async () => {
    ;({ google, provider } = await start())
  })
  afterAll(async () => google.close())
  beforeEach(async () => {
    await google.control('reset')
    const given = await consent()
    if (given === 'refused') throw new Error('Consent was refused.')
    grant = given.grant
    calendarId = await provider.createCalendar(grant, 'Hearth')
  })

  test('says whose consent it is, and whether it is whole', async () => {
    expect(await consent({ email: 'sam@example.test' })).toMatchObject({
      email: 'sam@example.test',
      isComplete: true,
    })
    const without = 'https://www.googleapis.com/auth/calendar.freebusy'
    expect(await consent({ without })).toMatchObject({ isComplete: false })
  })

  test('takes no code twice, none of another way, and none made up', async () => {
    const back = await google.consent(provider.begin(journey).href)
    const code = back.searchParams.get('code') ?? ''
    expect(await provider.finish(code, { ...journey, verifier: 'w'.repeat(43) })).toBe('refused')
    expect(await provider.finish(code, journey)).toBe('refused')
    expect(await provider.finish('made-up', journey)).toBe('refused')
  })

  test('writes an entry once, over what it has seen alone, and again over what was deleted', async () => {
    const first = await provider.put(grant, at(), event, undefined)
    expect(await why(provider.put(grant, at(), moved, undefined))).toBe('changed')
    const second = await provider.put(grant, at(), moved, first)
    expect(second).not.toBe(first)
    expect(await why(provider.put(grant, at(), event, first))).toBe('changed')
    // Moved back and forth, and by hand: each is another revision of the entry.
    const third = await provider.put(grant, at(), event, second)
    await google.control('edit', { start: { date: '2026-06-08' }, recurrence: ['RRULE:FREQ=DAILY'] })
    const byHand = await provider.etagOf(grant, at())
    const fourth = await provider.put(grant, at(), moved, byHand)
    expect(new Set([first, second, third, byHand, fourth]).size).toBe(5)
    expect(await provider.etagOf(grant, at())).toBe(fourth)
    expect(await events()).toMatchObject([{ start: { dateTime: moved.startsAt.toISOString() }, sequence: 4 }])
    expect((await events())[0]).not.toHaveProperty('recurrence')
    expect(
      (await events()).map(({ start, visibility, transparency }: Record<string, unknown>) => [
        start,
        visibility,
        transparency,
      ]),
    ).toEqual([[{ dateTime: '2026-06-09T09:00:00.000Z', timeZone: 'UTC' }, 'private', 'opaque']])
    await provider.remove(grant, at())
    await provider.remove(grant, at())
    expect((await events()).map(({ status }) => status)).toEqual(['cancelled'])
    const deleted = await provider.etagOf(grant, at())
    await provider.put(grant, at(), event, deleted)
    expect((await events()).map(({ status }) => status)).toEqual(['confirmed'])
    expect(await provider.etagOf(grant, at('hearthnever'))).toBeUndefined()
  })

  test('says so when an entry that was deleted by hand cannot be had back', async () => {
    const etag = await provider.put(grant, at(), event, undefined)
    await google.control('lock-deleted')
    await provider.remove(grant, at())
    expect(await why(provider.put(grant, at(), moved, etag))).toBe('changed')
    expect(await why(provider.put(grant, at(), moved, await provider.etagOf(grant, at())))).toBe('locked')
  })

  test('tells when the account is busy, and asks for nothing else', async () => {
    const busy = [{ start: '2026-06-08T10:00:00+01:00', end: '2026-06-08T11:00:00+01:00' }]
    await google.control('busy', { email: 'sam.hale@example.test', busy })
    const range = { from: new Date('2026-06-01T00:00:00Z'), to: new Date('2026-08-01T00:00:00Z') }
    expect(await provider.busy(grant, range)).toEqual([
      { from: new Date('2026-06-08T09:00:00Z'), to: new Date('2026-06-08T10:00:00Z') },
    ])
    const asked = (await google.look()).asked.filter(({ path }) => path.includes('freeBusy'))
    expect(asked.map(({ body }) => Object.keys(body as object))).toEqual([['timeMin', 'timeMax', 'items']])
  })

  test('gets itself a new access token when the one it has is taken no more', async () => {
    await google.control('expire')
    expect(await provider.put(grant, at(), event, undefined)).toMatch(/^".+"$/)
  })

  test('tells a grant taken back, a calendar taken away and an outage from one another', async () => {
    const put = () => why(provider.put(grant, at(), event, undefined))
    for (const trouble of [
      { status: 503 },
      { status: 500 },
      { status: 429, reason: 'rateLimitExceeded' },
      { status: 403, reason: 'rateLimitExceeded' },
      { late: true },
    ]) {
      await google.trouble('^POST .*/events$', trouble)
      expect([trouble, await put()]).toEqual([trouble, 'away'])
    }
    await google.trouble('^POST .*/events$', { status: 403, reason: 'insufficientPermissions' })
    expect(await put()).toBe('revoked')
    await google.control('remove-calendars')
    expect(await put()).toBe('removed')
    await provider.remove(grant, at())
    await provider.deleteCalendar(grant, calendarId)
    await google.control('revoke')
    expect(await put()).toBe('revoked')
    // A grant that is no good any more is given back all the same.
    await provider.revoke(grant)
    await google.trouble('^POST /revoke', { status: 503 })
    expect(await why(provider.revoke(grant))).toBe('away')
  })

  test('an entry whose response was lost is not written twice', async () => {
    await google.trouble('^POST .*/events$', { late: true })
    expect(await why(provider.put(grant, at(), event, undefined))).toBe('away')
    expect(await why(provider.put(grant, at(), event, undefined))).toBe('changed')
    await provider.put(grant, at(), moved, await provider.etagOf(grant, at()))
    expect(await events()).toHaveLength(1)
  })
})
