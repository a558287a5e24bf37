import type { TestProject } from 'vitest/node'
import { openServer } from '#server/db/connection.ts'
import { NoPostgres, startCluster } from './private-cluster.ts'
import { prepare, templateName } from './test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The private cluster's address and the folder of its programs, or why there is none. */
    cluster: { url: string; programs: string } | { missing: string }
  }
}

/** Starts the private cluster that tests of real concurrency use, with a database to copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  try {
    const cluster = await startCluster()
    const admin = openServer(cluster.url, 2, () => undefined)
    if (admin.engine.kind === 'server') await admin.engine.pool.query(`create database ${templateName}`)
    await admin.close()
    const template = openServer(cluster.url.replace(/postgres$/, templateName), 2, () => undefined, {
      limits: 'none',
    })
    await prepare(template)
    await template.close()
    project.provide('cluster', { url: cluster.url, programs: cluster.programs })
    return cluster.stop
  } catch (error) {
    if (!(error instanceof NoPostgres)) throw error
    project.provide('cluster', { missing: error.message })
    return async () => undefined
  }
}
