import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { mailServer, type Refusal, tlsMailServer } from '#test/mail-server.ts'
import { fileMailer, smtpMailer } from './nodemailer.ts'
import { MailDeferred, type Mailer, MailRefused } from './port.ts'

const from = 'Hearth <hello@hearth.test>'
const mail = {
  to: 'alex@example.test',
  subject: 'Choose a new password – now',
  text: 'Hello Zoë,\n\nfollow the link.',
  html: '<p>Hello Zoë</p>',
}
const content = ['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'END:VCALENDAR'].join('\r\n')
const invitation = {
  ...mail,
  messageId: 'session.1@hearth.test',
  date: new Date('2026-06-01T08:00:00Z'),
  calendar: { method: 'REQUEST' as const, content },
}

type Post = { mailer: Mailer; delivered: () => string[]; close: () => Promise<void> }
const opened: Post[] = []
afterEach(async () => {
  for (const post of opened.splice(0)) await post.close()
})

/** Mails into a folder. */
async function folder(): Promise<Post> {
  const parent = mkdtempSync(join(tmpdir(), 'hearth-mail-'))
  const directory = join(parent, 'mail')
  const post: Post = {
    mailer: fileMailer(directory, from),
    delivered: () => readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8')),
    close: async () => rmSync(parent, { recursive: true }),
  }
  opened.push(post)
  return post
}

/** Mails to a real server on this machine. */
async function server(...refusals: Refusal[]): Promise<Post> {
  const { url, received, close } = await mailServer(...refusals)
  const post = { mailer: smtpMailer(url, from), delivered: () => received, close }
  opened.push(post)
  return post
}

/** What sending came to: nothing, or the error. */
const attempt = (post: Post) =>
  post.mailer.send(mail).then(
    () => undefined,
    (error: unknown) => error,
  )

describe.each([
  { kind: 'a folder', open: folder },
  { kind: 'a mail server', open: server },
])('a mail through $kind', ({ open }) => {
  test('arrives once, with its text and its HTML', async () => {
    const post = await open()
    await post.mailer.send(mail)
    const [message = '', ...more] = post.delivered()
    expect(more).toEqual([])
    expect(message).toContain('From: Hearth <hello@hearth.test>')
    expect(message).toContain('To: alex@example.test')
    expect(message).toContain('Auto-Submitted: auto-generated')
    expect(message).toMatch(/Content-Type: text\/plain; charset=utf-8/)
    expect(message).toMatch(/Content-Type: text\/html; charset=utf-8/)
    expect(message).toContain('Zo=C3=AB')
    expect(message).not.toContain('calendar')
  })

  test('carries a calendar entry for programs and as a file, under its own id and date', async () => {
    const post = await open()
    await post.mailer.send(invitation)
    const [message = ''] = post.delivered()
    expect(message).toContain('Message-ID: <session.1@hearth.test>')
    expect(message).toContain('Date: Mon, 01 Jun 2026 08:00:00 +0000')
    expect(message).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=REQUEST/)
    expect(message).toContain(content)
    expect(message).toMatch(/Content-Type: application\/ics; name=session.ics/)
    expect(message).toContain('filename=session.ics')
    expect(message.replace(/\s/g, '')).toContain(Buffer.from(content).toString('base64'))
  })

  test('is the same to the last byte when it is handed over again under its id', async () => {
    const post = await open()
    await post.mailer.send(invitation)
    await post.mailer.send(invitation)
    const [first, second] = post.delivered()
    expect(first).toBe(second)
  })

  test('has an id of its own where none is given', async () => {
    const post = await open()
    await post.mailer.send(mail)
    await post.mailer.send(mail)
    const ids = post.delivered().map((message) => /^Message-ID: <(.+)>$/im.exec(message)?.[1])
    expect(ids[0]).toMatch(/@hearth\.test$/)
    expect(ids[0]).not.toBe(ids[1])
  })

  test('names its sender', async () => {
    const post = await open()
    expect(post.mailer.sender).toEqual({ name: 'Hearth', address: 'hello@hearth.test' })
  })
})

test('a sender may be an address alone', () => {
  expect(fileMailer('/nowhere', 'hello@hearth.test').sender).toEqual({
    name: '',
    address: 'hello@hearth.test',
  })
  expect(fileMailer('/nowhere', '"Hearth, UK" <hello@hearth.test>').sender).toEqual({
    name: 'Hearth, UK',
    address: 'hello@hearth.test',
  })
})

describe('a mail server that does not take a mail', () => {
  test.each([{ to: 451 }, { data: 452 }, { from: 421 }])(
    'for now (%o) gets it again, and then once',
    async (answer) => {
      const post = await server(answer)
      const error = await attempt(post)
      expect(error).toBeInstanceOf(Error)
      expect(error).not.toBeInstanceOf(MailRefused)
      expect(post.delivered()).toEqual([])
      expect(await attempt(post)).toBeUndefined()
      expect(post.delivered()).toHaveLength(1)
    },
  )

  test.each<Refusal>([
    { to: 550 },
    { to: 551 },
    { to: 553 },
    { to: '550 5.1.1 <alex@example.test>: User unknown' },
    { to: '554 5.1.2 The domain of alex@example.test does not exist' },
    { to: '556 5.1.10 The domain of alex@example.test accepts no mail' },
    { to: '550 5.2.1 The mailbox of alex@example.test is disabled' },
    { to: '550 Sorry, alex@example.test is no mailbox here. (#5.1.1)' },
    { to: '550 No such user: alex@policy.limited.example.test' },
    { data: '550 5.1.1 <alex@example.test>: User unknown' },
    { data: '552 5.2.3 Too long for alex@example.test' },
  ])('about its recipient (%j) refuses it for good, without the words of the reply', async (answer) => {
    const post = await server(answer)
    const error = await attempt(post)
    expect(error).toBeInstanceOf(MailRefused)
    const responseCode = Number(String(answer.to ?? answer.data).slice(0, 3))
    expect(error).toMatchObject({ final: true, responseCode })
    expect(String(error)).not.toContain('alex')
    expect(post.delivered()).toEqual([])
  })

  test.each<Refusal>([
    // About our account, the relay or the sender.
    { data: '554 Message rejected: Email address is not verified.' },
    { data: '550 5.4.5 Daily user sending limit exceeded.' },
    { to: '550 5.4.5 Daily user sending limit exceeded.' },
    { to: '554 5.7.1 <alex@example.test>: Relay access denied' },
    { to: '550 relay not permitted' },
    { to: '550 Authentication is required for relay' },
    { to: '550 Domain hearth.test has exceeded the max emails per hour' },
    { to: '550 Administrative prohibition' },
    { to: '550 Rejected: your address is blocked' },
    { to: "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)" },
    { to: '550 5.1.0 <hello@hearth.test>: Sender address rejected' },
    { to: '550 5.1.7 <hello@hearth.test>: Sender address rejected' },
    { to: '550 5.1.8 Access denied, bad outbound sender' },
    { data: '554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException' },
    { data: '554 5.2.252 SendAsDenied; not allowed to send as hello@hearth.test' },
    { to: '530 5.7.0 Authentication required' },
    // A full mailbox may have room again in time.
    { to: '552 5.2.2 The mailbox is full' },
    { to: '552 The mailbox is full' },
    // About the content or its length.
    { data: '552 5.3.4 Message too big for system' },
    { data: '554 5.6.0 Message content refused' },
    { data: '550 5.7.1 Message refused as spam' },
    { data: 550 },
    { data: 554 },
    { to: 554 },
    { to: '550 4.2.1 The codes of this reply contradict each other' },
  ])('about anything else (%j) gets it again, and then once', async (answer) => {
    const post = await server(answer)
    const error = await attempt(post)
    expect(error).toBeInstanceOf(MailDeferred)
    expect(error).not.toBeInstanceOf(MailRefused)
    expect(error).not.toHaveProperty('final')
    expect(JSON.stringify([String(error), error])).not.toMatch(/alex|hello/)
    expect(post.delivered()).toEqual([])
    expect(await attempt(post)).toBeUndefined()
    expect(post.delivered()).toHaveLength(1)
  })

  test('names the code, the status and the step of a reply that is tried again', async () => {
    const post = await server({ data: '550 5.4.5 Daily user sending limit exceeded.' }, { data: 554 })
    expect(await attempt(post)).toMatchObject({
      responseCode: 550,
      enhancedStatus: '5.4.5',
      command: 'DATA',
    })
    expect(await attempt(post)).toMatchObject({ responseCode: 554, enhancedStatus: undefined })
  })

  test('because of its sender is tried again: that is for us to put right', async () => {
    const post = await server({ from: 550 })
    const error = await attempt(post)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(MailRefused)
    expect(post.delivered()).toEqual([])
  })

  test('because it is not there is tried again', async () => {
    const post = await server()
    await post.close()
    const error = await attempt(post)
    expect(error).toMatchObject({ code: 'ESOCKET' })
    expect(error).not.toBeInstanceOf(MailRefused)
  })

  test('because it hangs up in the middle is tried again', async () => {
    const rude = createServer((socket) => {
      socket.write('220 hello\r\n')
      socket.once('data', () => socket.destroy())
    })
    const port = await new Promise<number>((resolve) => {
      rude.listen(0, '127.0.0.1', () => resolve((rude.address() as { port: number }).port))
    })
    const error = await smtpMailer(`smtp://127.0.0.1:${port}`, from)
      .send(mail)
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(MailRefused)
    await new Promise<void>((resolve) => rude.close(() => resolve()))
  })
})

describe('a mail server', () => {
  /** Sends a mail with a sign-in. `host` is one of the names of this machine. */
  async function sendTo(start: typeof tlsMailServer, host: string, query = '') {
    const { port, received, signIns, close } = await start()
    const url = `smtp://hearth:a-password@${host}:${port}${query}`
    const post = { mailer: smtpMailer(url, from), delivered: () => received, close }
    opened.push(post)
    return { error: await attempt(post), delivered: received.length, signIns }
  }
  const inClear = { password: 'a-password', isEncrypted: false }
  const encrypted = { password: 'a-password', isEncrypted: true }
  /** An address of this machine that is not of the loopback network. */
  const elsewhere = '0.0.0.0'

  test.each(['', '?opportunisticTLS=true', '?ignoreTLS=false', '?ignoreTLS=1'])(
    'elsewhere without STARTTLS (%j) gets no password and no mail, and is tried again',
    async (query) => {
      const { error, delivered, signIns } = await sendTo(mailServer, elsewhere, query)
      expect(error).toBeInstanceOf(MailDeferred)
      expect(error).toMatchObject({ command: 'STARTTLS' })
      expect(error).not.toHaveProperty('final')
      expect(delivered).toBe(0)
      expect(signIns).toEqual([])
    },
  )

  test('elsewhere whose certificate is not trusted gets no password and no mail', async () => {
    const { error, delivered, signIns } = await sendTo(tlsMailServer, elsewhere)
    expect(error).toMatchObject({ message: expect.stringContaining('self-signed certificate') })
    expect(error).not.toBeInstanceOf(MailRefused)
    expect(delivered).toBe(0)
    expect(signIns).toEqual([])
  })

  test('elsewhere with STARTTLS gets password and mail encrypted', async () => {
    const sent = await sendTo(tlsMailServer, elsewhere, '?tls.rejectUnauthorized=false')
    expect(sent).toEqual({ error: undefined, delivered: 1, signIns: [encrypted] })
  })

  test.each([
    { start: mailServer, query: '?ignoreTLS=true' },
    { start: tlsMailServer, query: '?ignoreTLS=true' },
    { start: mailServer, query: '?requireTLS=false' },
  ])('elsewhere gets a mail in clear if the URL asks for it by $query', async ({ start, query }) => {
    const sent = await sendTo(start, elsewhere, query)
    expect(sent).toEqual({ error: undefined, delivered: 1, signIns: [inClear] })
  })

  test.each(['127.0.0.1', 'localhost', 'LOCALHOST'])('on this machine (%s) needs no TLS', async (host) => {
    const sent = await sendTo(mailServer, host)
    expect(sent).toEqual({ error: undefined, delivered: 1, signIns: [inClear] })
  })
})
