import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** `/<key>/<size>.webp`, as portraits are stored; anything else is not even looked for. */
const portraitFile = /^\/[a-z0-9][a-z0-9-]{0,63}\/(64|256|1024)\.(webp|jpg)$/

/** Where portraits are stored below the data folder: `<key>/<size>.webp`. */
export function portraitsDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'media', 'portraits')
}

/** Serves portraits at `/media/portraits/`. A key is never used for another picture, so browsers may keep it. */
export async function serveMedia(app: FastifyInstance, options: { dataDirectory: string }): Promise<void> {
  const root = portraitsDirectory(options.dataDirectory)
  await mkdir(root, { recursive: true })
  await app.register(fastifyStatic, {
    root,
    prefix: '/media/portraits/',
    decorateReply: false,
    index: false,
    redirect: false,
    immutable: true,
    maxAge: '365d',
    allowedPath: (path) => portraitFile.test(path),
  })
}
