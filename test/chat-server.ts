// The product on a PostgreSQL, and a Redis where one is named, as an instance among others. Started by the chat's tests,
// which end it as `kill -9` does.
import { pino } from 'pino'
import { buildApp } from '#server/app.ts'
import { systemClock } from '#server/clock.ts'
import { openServer } from '#server/db/connection.ts'
import { systemRandom } from '#server/ids.ts'
import { redisLive } from '#server/integrations/live/redis.ts'
import { fileMailer } from '#server/integrations/mail/nodemailer.ts'
import { localDirectory, localStorage } from '#server/integrations/object-storage/local.ts'
import { sandboxGateway } from '#server/integrations/payment-gateway/sandbox.ts'
import { openSecrets } from '#server/secrets.ts'

const [url = '', directory = '', redisUrl = ''] = process.argv.slice(2)
const database = openServer(url, 10, () => undefined)
const secrets = openSecrets({ directory })
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
  secrets,
  ...(redisUrl
    ? {
        live: redisLive({
          url: redisUrl,
          seal: (bytes) => secrets.seal('live event', '', bytes),
          open: (bytes) => secrets.open('live event', '', bytes),
          say: () => undefined,
          lookEvery: 500,
        }),
      }
    : {}),
})
await running.queue.start({ work: false })
process.stdout.write(`${await running.app.listen({ port: 0, host: '127.0.0.1' })}\n`)
