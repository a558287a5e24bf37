import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { receiveFile } from './receive-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'hearth-received-'))
const app = Fastify()
afterEach(async () => {
  await app.close()
  rmSync(directory, { recursive: true })
})

test('waits for the work on a file that has arrived, however long, and not for a sender who has gone', async () => {
  const patience = 200
  await app.register(multipart)
  app.post('/file', (request) =>
    receiveFile(request, { kind: 'document', field: 'file', directory, patience }, async ({ bytes }) => {
      await sleep(5 * patience)
      return { bytes }
    }),
  )
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })

  const form = new FormData()
  form.set('file', new Blob(['twelve bytes']), 'file.pdf')
  const answer = await fetch(`${origin}/file`, { method: 'POST', body: form })
  expect(await answer.json()).toEqual({ bytes: 12 })

  const gone = connect(Number(new URL(origin).port), '127.0.0.1')
  gone.on('error', () => undefined)
  gone.write(
    'POST /file HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 900\r\n\r\n' +
      '--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\nhalf of it',
  )
  await new Promise((done) => gone.once('close', done).resume())
  await expect.poll(() => readdirSync(directory)).toEqual([])
})
