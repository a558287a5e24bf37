import { SMTPServer } from 'smtp-server'
import { mailCertificate } from './mail-certificate.ts'

/** A code alone, such as 550, or a whole reply, such as '550 5.1.1 No such user'. */
type Reply = number | string

/** What a mail server refuses a mail with, and at which point. */
export type Refusal = { from?: Reply; to?: Reply; data?: Reply }

/** A real mail server on this machine. `refusals` are what it makes of the next mails, one after the other. */
export const mailServer = (...refusals: Refusal[]) => startMailServer({ refusals, startTls: false })

/** A mail server that offers STARTTLS, with a certificate that no client trusts. */
export const tlsMailServer = () => startMailServer({ refusals: [], startTls: true })

async function startMailServer({ refusals, startTls }: { refusals: Refusal[]; startTls: boolean }) {
  const received: string[] = []
  /** Passwords as they arrived, and whether the connection was encrypted then. */
  const signIns: { password: string | null | undefined; isEncrypted: boolean }[] = []
  const refusing = (reply: Reply | undefined) => {
    if (!reply) return null
    const [code, ...words] = String(reply).split(' ')
    const text = words.join(' ') || 'alex@example.test is not here'
    return Object.assign(new Error(text), { responseCode: Number(code) })
  }
  const smtp = new SMTPServer({
    authOptional: true,
    ...mailCertificate,
    disabledCommands: startTls ? [] : ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password, username }, { secure }, done) => {
      signIns.push({ password, isEncrypted: secure })
      done(null, { user: username })
    },
    onMailFrom: (_address, _session, done) => done(refusing(refusals[0]?.from)),
    onRcptTo: (_address, _session, done) => done(refusing(refusals[0]?.to)),
    onData: (stream, _session, done) => {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      stream.on('end', () => {
        const refused = refusing(refusals[0]?.data)
        if (!refused) received.push(text)
        done(refused)
      })
    },
    onClose: () => refusals.shift(),
  })
  const port = await new Promise<number>((resolve) => {
    const listening = smtp.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    refusals,
    signIns,
    close: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  }
}
