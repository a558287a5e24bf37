import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate as immediate } from 'node:timers/promises'
import { Server } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { gatheredPackets } from './gathered-packets.ts'

let http: HttpServer
let server: Server
let browser: Socket
/** How often the network connection is written to. */
let writes: () => number
const packets = gatheredPackets()
const heard: unknown[] = []

beforeEach(async () => {
  heard.length = 0
  http = createServer()
  server = new Server(http, { transports: ['websocket'] })
  let line: Duplex | undefined
  server.engine.on('connection', (raw: { request: { socket: Duplex } }) => {
    line = raw.request.socket
    packets.gather(raw, line)
  })
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  browser = io(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { transports: ['websocket'] })
  browser.onAny((...event: unknown[]) => heard.push(event))
  await new Promise<void>((resolve) => void browser.once('connect', resolve))
  // The greeting is on its way before this end is looked at.
  await immediate()
  if (!line) throw new Error('There is no connection.')
  const each = [vi.spyOn(line, '_write'), vi.spyOn(line, '_writev' as '_write')]
  writes = () => each.reduce((sum, { mock }) => sum + mock.calls.length, 0)
})
afterEach(async () => {
  browser.close()
  await server.close()
})

const socketHere = () => [...server.sockets.sockets.values()][0]!
const heardAll = (count: number) => vi.waitFor(() => expect(heard).toHaveLength(count))

test('packets of one turn go out in one write and in their order, those behind promises too', async () => {
  const socket = socketHere()
  socket.emit('first', 1)
  await Promise.resolve()
  socket.emit('second', { deep: true })
  const later = async () => {
    for (let hops = 0; hops < 20; hops++) await Promise.resolve()
    socket.emit('third')
  }
  await later()
  expect(writes()).toBe(0)
  await heardAll(3)
  expect(heard).toEqual([['first', 1], ['second', { deep: true }], ['third']])
  expect(writes()).toBe(1)

  await immediate()
  socket.emit('fourth')
  await heardAll(4)
  expect(writes()).toBe(2)
})

test('what is sent while a write is on its way follows in the next one', async () => {
  const socket = socketHere()
  for (let number = 0; number < 50; number++) {
    socket.emit('number', number)
    if (number % 10 === 9) await immediate()
  }
  await heardAll(50)
  expect(heard).toEqual(Array.from({ length: 50 }, (_, number) => ['number', number]))
  expect(writes()).toBeLessThanOrEqual(5)
})

test('a connection that is closed gets what it was sent before', async () => {
  const socket = socketHere()
  socket.emit('last')
  socket.disconnect(true)
  await heardAll(1)
  await vi.waitFor(() => expect(browser.connected).toBe(false))
})

test('what was gathered is sent at once when asked for', async () => {
  socketHere().emit('now')
  packets.flush()
  expect(writes()).toBe(1)
  packets.flush()
  await heardAll(1)
  expect(writes()).toBe(1)
})

test('a connection of another make is left as it is', () => {
  const other = { flush: undefined }
  packets.gather(other, new Duplex())
  expect(other).toEqual({ flush: undefined })
})
