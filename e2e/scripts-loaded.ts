import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'

/** Opens a page. Returns the scripts that it has loaded once it is there and idle, by name, in bytes by gzip. */
export async function scriptsOf(
  page: Page,
  path: string,
  isThere: () => Promise<void> = () => Promise.resolve(),
): Promise<Map<string, number>> {
  const bodies = new Map<string, Promise<Buffer>>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('.js')) bodies.set(pathname, response.body())
  })
  await page.goto(path)
  await isThere()
  await page.waitForLoadState('networkidle')
  // The network of a slow machine may be idle before the page has asked for all that it needs.
  for (let known = -1; known < bodies.size; await sleep(500)) known = bodies.size
  const scripts = new Map<string, number>()
  for (const [name, body] of bodies) scripts.set(name, gzipSync(await body, { level: 9 }).length)
  return scripts
}

/** Bytes of scripts together. */
export const sum = (scripts: Map<string, number>) =>
  [...scripts.values()].reduce((total, bytes) => total + bytes, 0)
