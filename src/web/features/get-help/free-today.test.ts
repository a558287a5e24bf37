import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freeTodayQuery } from './free-today.ts'

const now = Date.parse('2026-06-10T09:00:00Z')
const online = { appointment_type: 'online' }
const services = [
  { service_id: 1, service_name: 'Assessment', duration: 80, fee: 90, ...online },
  { service_id: 2, service_name: 'Session', duration: 50, fee: 60, ...online },
]
const card = (id: number, startsAt: string, serviceId = 1) => ({
  practitioner_id: id,
  next_starts: [{ starts_at: startsAt, service_id: serviceId, ...online }],
})

let cards: ReturnType<typeof card>[]
/** The status of a practitioner's profile, where it is not 200. */
let failures: Record<number, number>

beforeEach(() => {
  failures = {}
  vi.useFakeTimers({ now, toFake: ['Date'] })
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('location', { origin: 'http://127.0.0.1' })
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('fetch', async (address: string | URL) => {
    const path = new URL(String(address), 'http://127.0.0.1').pathname
    if (path.endsWith('/get-practitioners')) return Response.json({ data: cards })
    const id = Number(/practitioner\/(\d+)\/profile$/.exec(path)?.[1])
    const status = failures[id]
    if (status) return Response.json({ code: 'error', message: 'No.' }, { status })
    if (id) return Response.json({ services: { online: services, face_to_face: [] } })
    // Free times for the first of the services: none today.
    return Response.json({ slots: [] })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const read = async () => {
  const found = await new QueryClient().fetchQuery({ ...freeTodayQuery(1), retry: false })
  return found.map(({ practitioner, service, slot }) => [
    practitioner.practitioner_id,
    service.service_id,
    slot.starts_at,
  ])
}

test('a practitioner is offered today for the service that has a free time', async () => {
  cards = [card(4, '2026-06-10T15:00:00Z', 2), card(5, '2026-06-11T10:00:00Z')]
  expect(await read()).toEqual([[4, 2, '2026-06-10T15:00:00Z']])
})

test('the others stay on offer when one practitioner is no longer listed', async () => {
  cards = [card(4, '2026-06-10T12:00:00Z'), card(5, '2026-06-10T13:00:00Z')]
  failures = { 4: 404 }
  expect(await read()).toEqual([[5, 1, '2026-06-10T13:00:00Z']])
})

test('the query rejects when no profile can be read, so that what was shown stays', async () => {
  cards = [card(4, '2026-06-10T12:00:00Z')]
  failures = { 4: 503 }
  await expect(read()).rejects.toMatchObject({ status: 503 })
})
