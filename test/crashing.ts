import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Answer, TestApp } from './build-test-app.ts'

/**
 * Another process with the product on the database of `app`, by the real clock, that ends as by `kill -9` at a step. Calls
 * of `other` go there; `gone` says by which signal it ended. `work` is what it does by itself at once.
 */
export async function startCrashing(
  app: TestApp,
  url: string,
  step: string,
  work: ['series.sweep' | 'reserved.sweep'] | ['waitlist.match', practitionerId: number] | [] = [],
): Promise<{ other: TestApp; gone: Promise<NodeJS.Signals | null> }> {
  const script = fileURLToPath(new URL('crashing-server.ts', import.meta.url))
  const directory = mkdtempSync(join(tmpdir(), 'hearth-crash-'))
  const child = spawn(process.execPath, [script, url, step, directory, ...work.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on('exit', (_code, signal) => {
      rmSync(directory, { recursive: true, force: true })
      resolve(signal)
    }),
  )
  const [origin] = await new Promise<string[]>((resolve) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve([line]))
  })
  const other: TestApp = {
    ...app,
    call: async (method, path, options) => {
      const response = await fetch(`${origin}/api/v7${path}`, {
        method,
        headers: {
          authorization: `Bearer ${options?.token}`,
          'content-type': 'application/json',
          ...options?.headers,
        },
        ...(method === 'GET' ? {} : { body: JSON.stringify(options?.body ?? {}) }),
      })
      const body: Answer['body'] = JSON.parse(await response.text())
      return { status: response.status, body, headers: response.headers }
    },
  }
  return { other, gone }
}
