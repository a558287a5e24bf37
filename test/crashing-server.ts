// The product on a PostgreSQL, ending itself as `kill -9` does at a named step. Started by the crash tests.
import { pino } from 'pino'
import { buildApp } from '#server/app.ts'
import { systemClock } from '#server/clock.ts'
import { openServer } from '#server/db/connection.ts'
import { systemRandom } from '#server/ids.ts'
import { fileMailer } from '#server/integrations/mail/nodemailer.ts'
import { localDirectory, localStorage } from '#server/integrations/object-storage/local.ts'
import { sandboxGateway } from '#server/integrations/payment-gateway/sandbox.ts'

const [url = '', crashAt = '', directory = '', work = '', about = ''] = process.argv.slice(2)
const database = openServer(url, 5, () => undefined)
const running = await buildApp({
  database,
  clock: systemClock,
  random: systemRandom,
  mailer: fileMailer(directory, 'hello@hearth.test'),
  storage: localStorage(localDirectory(directory)),
  gateway: sandboxGateway({ db: database.db, clock: systemClock, random: systemRandom }),
  log: pino({ level: 'silent' }),
  publicUrl: 'http://hearth.test',
  dataDirectory: directory,
  rateLimitScale: 1000,
  trustedProxies: 0,
  checkpoint: async (step) => {
    if (step === crashAt) process.kill(process.pid, 'SIGKILL')
  },
})
await running.queue.start({ work: false })
process.stdout.write(`${await running.app.listen({ port: 0, host: '127.0.0.1' })}\n`)
if (work === 'series.sweep') await running.services.series.sweep()
if (work === 'reserved.sweep') await running.services.reserved.sweep()
if (work === 'waitlist.match') {
  await running.services.waitlistMatching.run(Number(about), { everything: true })
}
