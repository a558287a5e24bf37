import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { fileMailer, smtpMailer } from './nodemailer.ts'
import type { Mailer } from './port.ts'

const from = 'Hearth <hello@hearth.test>'
const mail = {
  to: 'alex@example.test',
  subject: 'Choose a new password – now',
  text: 'Hello Zoë,\n\nfollow the link.',
  html: '<p>Hello Zoë</p>',
}

type Post = { mailer: Mailer; delivered: () => string[]; close: () => Promise<void> }

/** Mails into a folder. */
async function folder(): Promise<Post> {
  const directory = join(mkdtempSync(join(tmpdir(), 'hearth-mail-')), 'mail')
  return {
    mailer: fileMailer(directory, from),
    delivered: () => readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8')),
    close: async () => undefined,
  }
}

/** Mails to a real server on this machine. */
async function server(): Promise<Post> {
  const received: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(
        address.startsWith('nobody')
          ? Object.assign(new Error('No such person'), { responseCode: 550 })
          : null,
      ),
    onData: (stream, _session, done) => {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      stream.on('end', () => {
        received.push(text)
        done()
      })
    },
  })
  const port = await new Promise<number>((resolve) => {
    const listening = smtp.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  return {
    mailer: smtpMailer(`smtp://127.0.0.1:${port}`, from),
    delivered: () => received,
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
}

describe.each([
  { kind: 'a folder', open: folder },
  { kind: 'a mail server', open: server },
])('a mail through $kind', ({ open }) => {
  test('arrives once, with its text and its HTML', async () => {
    const post = await open()
    await post.mailer.send(mail)
    const [message, ...more] = post.delivered()
    expect(more).toEqual([])
    expect(message).toContain('From: Hearth <hello@hearth.test>')
    expect(message).toContain('To: alex@example.test')
    expect(message).toMatch(/Content-Type: text\/plain; charset=utf-8/)
    expect(message).toMatch(/Content-Type: text\/html; charset=utf-8/)
    expect(message).toContain('Zo=C3=AB')
    await post.close()
  })
})

test('a mail that the server refuses is an error, and nothing is delivered', async () => {
  const post = await server()
  await expect(post.mailer.send({ ...mail, to: 'nobody@example.test' })).rejects.toThrow()
  expect(post.delivered()).toEqual([])
  await post.close()
  await expect(post.mailer.send(mail)).rejects.toThrow()
})
