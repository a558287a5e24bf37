import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'

type Window = { url: string; focus(): Promise<void>; navigate?(address: string): Promise<Window> }
type Click = { notification: object; waitUntil(work: Promise<void>): void }

const origin = 'https://hearth.test'
const refused = () => Promise.reject(new DOMException('Not allowed.', 'InvalidAccessError'))

/** Clicks on a notification of a message to a client while these windows are open. Returns the addresses opened. */
async function click(windows: Window[]): Promise<string[]> {
  const opened: string[] = []
  const handlers = new Map<string, (event: Click) => void>()
  const self = {
    location: { origin },
    navigator: {},
    clients: {
      matchAll: async () => windows,
      openWindow: async (address: string) => void opened.push(address),
    },
    addEventListener: (name: string, handler: (event: Click) => void) => handlers.set(name, handler),
  }
  const source = readFileSync(new URL('../src/web/public/service-worker.js', import.meta.url), 'utf8')
  runInContext(source, createContext({ self, URL }))
  let work: Promise<void> | undefined
  handlers.get('notificationclick')?.({
    notification: { data: { path: '/chats', role: 'client' }, close: () => undefined },
    waitUntil: (given) => {
      work = given
    },
  })
  await work
  return opened
}

test('a click on a notification opens the page if its window refuses the focus', async () => {
  expect(await click([{ url: `${origin}/chats`, focus: refused }])).toEqual(['/sign-in?return_to=%2Fchats'])
})

test('a click on a notification opens the page if the window led to it refuses the focus', async () => {
  const led = { url: `${origin}/chats`, focus: refused }
  const free = { url: `${origin}/`, focus: refused, navigate: async () => led }
  expect(await click([free])).toEqual(['/sign-in?return_to=%2Fchats'])
})

test('a click on a notification opens no second window if the first one takes the focus', async () => {
  expect(await click([{ url: `${origin}/chats`, focus: async () => undefined }])).toEqual([])
})
