import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDemo } from '#server/db/seed/insert.ts'
import { systemRandom } from '#server/ids.ts'
import { createSecrets } from '#server/secrets.ts'
import { buildTestApp, type TestApp } from './build-test-app.ts'

/** The whole product, as `buildTestApp` builds it, with a demo of twelve practitioners. `end` closes it and removes the demo's files. */
export async function buildDemoApp(
  options: Omit<NonNullable<Parameters<typeof buildTestApp>[0]>, 'secrets'> = {},
): Promise<{ app: TestApp; end(): Promise<void> }> {
  const secrets = createSecrets([randomBytes(32)])
  const app = await buildTestApp({ ...options, secrets })
  const directory = mkdtempSync(join(tmpdir(), 'hearth-demo-'))
  // A worker's databases are one: what was installed stays noted, and what it brought is gone.
  const forgetDemo = () =>
    app.db.deleteFrom('installation').where('key', 'not in', ['reference', 'weekly-series']).execute()
  await forgetDemo()
  await fillDemo({
    db: app.db,
    clock: app.clock,
    random: systemRandom,
    secrets,
    dataDirectory: directory,
    search: app.services.search,
    count: 12,
  })
  return {
    app,
    async end() {
      await forgetDemo()
      await app.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
