import { SMTPServer } from 'smtp-server'

/** What a mail server refuses a mail with, and at which point. */
export type Refusal = { from?: number; to?: number; data?: number }

/** A real mail server on this machine. `refusals` are what it makes of the next mails, one after the other. */
export async function mailServer(...refusals: Refusal[]) {
  const received: string[] = []
  const refusing = (code: number | undefined) =>
    code ? Object.assign(new Error('alex@example.test is not here'), { responseCode: code }) : null
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
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
    received,
    refusals,
    close: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  }
}
