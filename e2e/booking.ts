import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { APIRequestContext, Locator, Page, TestInfo } from '@playwright/test'
import { type Account, callAs, register, saveCard, signIn } from './people.ts'
import { expect } from './fixtures.ts'

type OfferedService = { service_id: number; service_name: string; fee: number; duration: number }
type OfferedServices = { online: OfferedService[]; face_to_face: OfferedService[] }

export type Offer = {
  id: number
  name: string
  /** The first of the online ones. */
  service: { id: number; name: string; fee: number }
  services: OfferedServices
  /** `starts_at` of online times from four days ahead. */
  times: string[]
}

/** Whose schedule tests of the practitioner's side change. */
const demoTherapist = 'Grace Holloway'

/** A practitioner for this test alone, so that no other test takes the times away. */
export async function ownPractitioner(
  request: APIRequestContext,
  info: TestInfo,
  { fits = () => true }: { fits?(services: OfferedServices): boolean } = {},
): Promise<Offer> {
  const start = Number.parseInt(
    createHash('sha256').update(info.titlePath.join()).digest('hex').slice(0, 8),
    16,
  )
  const listed = await listOnline(request)
  for (let step = 0; step < listed.length; step++) {
    const candidate = listed[(start + step) % listed.length]
    if (!candidate) continue
    const { practitioner_id: id, full_name: name } = candidate
    const types = await request.get(`/api/v7/practitioner/${id}/service-types`)
    const services = (await types.json()) as OfferedServices
    if (name === demoTherapist || !fits(services) || !reserve(id)) continue
    const offer = await offerOf(request, id, name, services)
    if (offer && offer.times.length >= 4) return offer
  }
  throw new Error('No practitioner is left for this test.')
}

/** Signs in a new client who holds a practitioner's first time and is asked for a card. */
export async function startPaying(
  page: Page,
  request: APIRequestContext,
  info: TestInfo,
): Promise<{ offer: Offer; account: Account }> {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await signIn(page, account)
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  return { offer, account }
}

type Listed = { practitioner_id: number; full_name: string }

async function listOnline(request: APIRequestContext): Promise<Listed[]> {
  const pages = await Promise.all(
    [1, 2, 3, 4].map(async (page) => {
      const response = await request.get('/api/v7/practitioner/get-practitioners', {
        params: { session_type: 'online', per_page: 50, page },
      })
      return ((await response.json()) as { data: Listed[] }).data
    }),
  )
  return pages.flat().sort((a, b) => a.practitioner_id - b.practitioner_id)
}

/** Whether this one was still to be had; workers share the folder. */
function reserve(practitionerId: number): boolean {
  const folder = join(process.env.E2E_DATA ?? '', 'reserved')
  mkdirSync(folder, { recursive: true })
  try {
    mkdirSync(join(folder, String(practitionerId)))
    return true
  } catch {
    return false
  }
}

/** Reads a listed practitioner's online offer, with the free times. */
export async function offerOfPractitioner(request: APIRequestContext, id: number): Promise<Offer> {
  const profile = await request.get(`/api/v7/practitioner/${id}/profile`)
  const { full_name: name, services } = (await profile.json()) as {
    full_name: string
    services: OfferedServices
  }
  const offer = await offerOf(request, id, name, services)
  if (!offer) throw new Error(`${name} offers nothing online.`)
  return offer
}

async function offerOf(
  request: APIRequestContext,
  id: number,
  name: string,
  services: OfferedServices,
): Promise<Offer | undefined> {
  const [service] = services.online
  if (!service) return undefined
  return {
    id,
    name,
    service: { id: service.service_id, name: service.service_name, fee: service.fee },
    services,
    times: await freeTimes(request, id, service.service_id),
  }
}

/** `starts_at` of the times from four days ahead that are free for a service. */
export async function freeTimes(
  request: APIRequestContext,
  id: number,
  serviceId: number,
  format: 'online' | 'face_to_face' = 'online',
): Promise<string[]> {
  const answer = await request.get(`/api/v7/practitioner/${id}/next-available-sessions`, {
    params: {
      timezone: zone,
      from: new Date(Date.now() + 4 * 86_400_000).toISOString().slice(0, 10),
      days: 21,
      service_id: serviceId,
      appointment_type: format,
    },
  })
  const { slots } = (await answer.json()) as { slots: { starts_at: string }[] }
  return slots.map((slot) => slot.starts_at)
}

/** Times on different days, so that moving from one to the other changes both. */
export function twoDays({ times }: Offer): [string, string] {
  const [first = ''] = times
  const other = times.find((time) => dayIn(time) !== dayIn(first)) ?? times.at(-1) ?? ''
  return [first, other]
}

/** With the online times, which an offer has. */
export const profilePath = (offer: Offer) => `/recommended-therapist?practitionerId=${offer.id}&type=online`

export function bookPath(offer: Offer, time: string): string {
  const query = new URLSearchParams({
    practitionerId: String(offer.id),
    service: String(offer.service.id),
    datetime: time,
    type: 'online',
  })
  return `/book-therapist?${query}`
}

/** `£85`, `£85.50`. */
export function pounds(amount: number): string {
  return `£${Number.isInteger(amount) ? amount : amount.toFixed(2)}`
}

const zone = 'Europe/London'

/** `YYYY-MM-DD` in London. */
function dayIn(instant: string | number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date(instant))
}

/** Wednesday 25 November; with the year where it is not this one. */
export function dayLabel(instant: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).formatToParts(new Date(instant))
  const [weekday, day, month, year] = (['weekday', 'day', 'month', 'year'] as const).map(
    (type) => parts.find((part) => part.type === type)?.value,
  )
  const isThisYear = year === dayIn(Date.now()).slice(0, 4)
  return `${weekday} ${day} ${month}${isThisYear ? '' : ` ${year}`}`
}

/** 09:00. */
export function timeWords(instant: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(instant))
}

/** A week earlier, at the same time on London's clocks. */
export function weekBefore(instant: string): Date {
  const hour = 3_600_000
  const week = Date.parse(instant) - 7 * 24 * hour
  const alike = [0, -hour, hour].find(
    (change) => timeWords(new Date(week + change).toISOString()) === timeWords(instant),
  )
  return new Date(week + (alike ?? 0))
}

/** The buttons that lead from the week that is shown to that of a time, in the order of pressing them. */
export async function weekTurns(area: Locator, instant: string): Promise<Locator[]> {
  const weekOf = (day: string) => Math.floor((Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 3) / 7)
  const shown = await area
    .getByRole('group', { name: 'Day', exact: true })
    .getByRole('radio')
    .first()
    .inputValue()
  const turns = weekOf(dayIn(instant)) - weekOf(shown)
  const button = area.getByRole('button', { name: turns < 0 ? 'Previous week' : 'Next week' })
  return Array<Locator>(Math.abs(turns)).fill(button)
}

/** Turns to the week, chooses the day and the time. */
export async function chooseTime(area: Locator, instant: string): Promise<void> {
  for (const turn of await weekTurns(area, instant)) await turn.click()
  await pick(area.getByRole('radio', { name: new RegExp(`^${dayLabel(instant)}\\b`) }))
  const times = area.getByRole('group', { name: `Free times on ${dayLabel(instant)}` })
  await pick(times.getByRole('radio', { name: timeWords(instant) }))
}

/** Clicks the label of a radio that is drawn by its label, as a finger would. */
export async function pick(radio: Locator): Promise<void> {
  await radio.locator('xpath=ancestor::label').click()
  await expect(radio).toBeChecked()
}

/** Fills in the card form and ticks it to be remembered. */
export async function fillCard(area: Page | Locator, number?: string): Promise<void> {
  await typeCard(area, number)
  await area.getByLabel(/^Remember the card/).check()
}

/** Fills in the fields of the card form. */
export async function typeCard(area: Page | Locator, number = '4242 4242 4242 4242'): Promise<void> {
  await area.getByLabel('Card number').fill(number)
  await area.getByLabel('Expiry date').fill(`12 / ${String(new Date().getFullYear() + 3).slice(2)}`)
  await area.getByLabel('Security code').fill('123')
}

/** Books a session by the API, paid with a card saved for it. */
export async function bookByApi(
  request: APIRequestContext,
  account: Account,
  offer: Offer,
  time: string,
  card?: string,
): Promise<{ session_id: string }> {
  const { customer_id } = await saveCard(request, account, card)
  const session = await holdByApi(request, account, offer, time)
  await payByApi(request, account, { ...session, fee_amount: offer.service.fee, customer_id })
  return session
}

/** Pays for a held time by the API, and books it. */
export async function payByApi(
  request: APIRequestContext,
  account: Account,
  payment: { session_id: string; fee_amount: number; customer_id: string },
): Promise<void> {
  await callAs(request, account, 'POST', '/payment/sandbox/existing-card-payment', payment)
  await callAs(request, account, 'POST', '/appointment/instant-book', { appointment_id: payment.session_id })
}

/** Holds a time by the API without paying for it. */
export async function holdByApi(
  request: APIRequestContext,
  account: Account,
  offer: Offer,
  time: string,
): Promise<{ session_id: string }> {
  return callAs(request, account, 'POST', '/appointment/create-session', {
    practitioner_id: offer.id,
    service_id: offer.service.id,
    datetime: time,
    appointment_type: 'online',
    booking_type: 'schedule',
    fee: offer.service.fee,
  })
}

type Upcoming = { appointment_id: string; status: string; starts_at: string; fee: number }

/** What the server knows of the account's sessions. */
export async function upcoming(request: APIRequestContext, account: Account): Promise<Upcoming[]> {
  return callAs(request, account, 'GET', '/appointment/get-upcoming-sessions')
}

/** Fails unless the hold's clock is on the screen and runs. */
export async function expectHeld(page: Page): Promise<void> {
  await expect(page.getByText('Held for you for')).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/^(\d|1\d):[0-5]\d$/)
}

/** The first of the free times whose hour is free in the two weeks that follow too: the demo has sessions in some weeks. */
export function freeEveryWeek(times: readonly string[]): string {
  const hourOf = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  })
  const weeks = (of: string, since: string) =>
    Math.round((Date.parse(of) - Date.parse(since)) / (7 * 86_400_000))
  const found = times.find((time) => {
    const hour = hourOf.format(new Date(time))
    const later = times.filter((each) => hourOf.format(new Date(each)) === hour)
    return [1, 2].every((ahead) => later.some((each) => weeks(each, time) === ahead))
  })
  if (!found) throw new Error('No hour is free three weeks running.')
  return found
}
