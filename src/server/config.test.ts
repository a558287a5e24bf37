import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { identityOf } from './adapters/identity.ts'
import { vapidSender } from './integrations/push/vapid.ts'

describe('Stripe', () => {
  const whole = {
    PAYMENT_GATEWAY: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  }

  test('is configured by three keys, and may then be reached by others', () => {
    expect(readConfig({ ...whole, HOST: '0.0.0.0', SEED: 'reference' })).toMatchObject(whole)
    expect(readConfig({}).PAYMENT_GATEWAY).toBe('sandbox')
  })

  test.each([
    [{ ...whole, STRIPE_SECRET_KEY: '' }, 'STRIPE_SECRET_KEY is missing: PAYMENT_GATEWAY=stripe needs'],
    [{ ...whole, STRIPE_PUBLISHABLE_KEY: '' }, 'STRIPE_PUBLISHABLE_KEY is missing'],
    [{ ...whole, STRIPE_WEBHOOK_SECRET: '' }, 'STRIPE_WEBHOOK_SECRET is missing'],
    [{ ...whole, PAYMENT_GATEWAY: '' }, 'STRIPE_SECRET_KEY is given, but PAYMENT_GATEWAY is not stripe'],
    [{ STRIPE_JS_URL: 'http://127.0.0.1:1/' }, 'STRIPE_JS_URL is given, but PAYMENT_GATEWAY is not stripe'],
    [{ ...whole, STRIPE_SECRET_KEY: 'pk_test_1' }, 'STRIPE_SECRET_KEY is not usable: must be a secret'],
    [{ ...whole, STRIPE_PUBLISHABLE_KEY: 'sk_test_1' }, 'STRIPE_PUBLISHABLE_KEY is not usable'],
    [{ ...whole, STRIPE_SECRET_KEY: 'sk_live_1' }, 'one is live, one for tests'],
    [{ ...whole, STRIPE_API_BASE: 'https://stripe.example' }, 'only a server on this machine may stand in'],
    [{ ...whole, STRIPE_JS_URL: 'https://127.0.0.1.example/s.js' }, 'only a server on this machine'],
    [
      {
        ...whole,
        STRIPE_SECRET_KEY: 'sk_live_1',
        STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
        STRIPE_API_BASE: 'http://127.0.0.1:1',
      },
      'STRIPE_API_BASE is refused with live keys',
    ],
    [{ ...whole, PAYMENT_GATEWAY: 'paper' }, 'PAYMENT_GATEWAY is not usable'],
  ])('half of it stops the start with a sentence: %o', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence)
  })

  test('no sentence repeats a key', () => {
    const bad = { ...whole, STRIPE_SECRET_KEY: 'a-pasted-secret' }
    expect(() => readConfig(bad)).toThrow(/^(?!.*a-pasted-secret)/)
  })
})

describe('the public address', () => {
  const demo = { ALLOW_DEMO: '1' }

  test.each(['https://hearth.example', 'https://hearth.example/', 'HTTPS://Hearth.Example'])(
    'is an origin, as browsers write it: %s',
    (address) => {
      expect(readConfig({ ...demo, PUBLIC_URL: address }).PUBLIC_URL).toBe('https://hearth.example')
    },
  )

  test.each(['https://hearth.example/app', 'https://hearth.example/?a=1', 'https://hearth.example/#a'])(
    'stops the start if it is more than an origin: %s',
    (address) => {
      expect(() => readConfig({ ...demo, PUBLIC_URL: address })).toThrow(
        'PUBLIC_URL is not usable: it must be an origin alone, such as https://hearth.example.',
      )
    },
  )

  test('stops the start if it holds a password, which is not repeated', () => {
    const read = () => readConfig({ ...demo, PUBLIC_URL: 'https://user:hunter2@hearth.example' })
    expect(read).toThrow(/^PUBLIC_URL is not usable(?!.*hunter2)/)
  })
})

describe('the sender of mails', () => {
  test.each(['hello@hearth.example', 'Hearth <hello@hearth.example>', '"Hearth, UK" <hello@hearth.example>'])(
    'is an address, with a name or without: %s',
    (sender) => {
      expect(readConfig({ MAIL_FROM: sender }).MAIL_FROM).toBe(sender)
    },
  )

  test.each([
    'Hearth',
    'Hearth <hello>',
    'a@hearth.example, b@hearth.example',
    'Hearth <hello@hearth.example',
  ])('stops the start if it is no address: %s', (sender) => {
    expect(() => readConfig({ MAIL_FROM: sender })).toThrow('MAIL_FROM is not usable')
  })
})

test('a key of push notifications that is no key stops the start with a sentence', () => {
  const made = generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey
  const others = made.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  for (const key of ['a-pasted-secret', others]) {
    const start = () =>
      vapidSender({ key, directory: '/nowhere', contact: 'mailto:a@hearth.test', now: () => new Date() })
    expect(start).toThrow(/^PUSH_KEY is not usable: it must be a private key on P-256, PKCS #8 in base64\.$/)
  }
})

test('the address of the back office is read by its former name too', () => {
  expect(readConfig({ OFFICE_EMAIL: 'old@hearth.example' })).toMatchObject({
    BACK_OFFICE_EMAIL: 'old@hearth.example',
  })
  const both = { OFFICE_EMAIL: 'old@hearth.example', BACK_OFFICE_EMAIL: 'new@hearth.example' }
  expect(readConfig(both).BACK_OFFICE_EMAIL).toBe('new@hearth.example')
})

describe('demo data, the sandbox gateway and the development sign-in', () => {
  const stripe = {
    PAYMENT_GATEWAY: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  }
  const publicUrl = 'https://hearth.example'

  test.each([
    [
      { PUBLIC_URL: publicUrl },
      'SEED=demo is refused on PUBLIC_URL=https://hearth.example, which others can reach',
    ],
    [{ PUBLIC_URL: publicUrl, ALLOW_DEMO: '0' }, 'Set ALLOW_DEMO=1 if that is meant'],
    [{ PUBLIC_URL: publicUrl, SEED: 'demo', ...stripe }, 'SEED=demo is refused'],
    [
      { PUBLIC_URL: publicUrl, SEED: 'reference' },
      'The sandbox gateway is refused on PUBLIC_URL=https://hearth.example',
    ],
    [{ PUBLIC_URL: publicUrl, DATABASE_URL: 'postgres://x/y' }, 'The sandbox gateway is refused'],
    [
      { PUBLIC_URL: 'http://192.168.1.20:3000', SEED: 'none' },
      'is refused on PUBLIC_URL=http://192.168.1.20:3000',
    ],
    [{ PUBLIC_URL: 'http://127.0.0.1.example' }, 'is refused on PUBLIC_URL'],
    [{ PUBLIC_URL: 'http://localhost.example' }, 'is refused on PUBLIC_URL'],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:8080' }, 'SEED=demo is refused on HOST=0.0.0.0'],
    [{ TRUST_PROXY: '1' }, 'SEED=demo is refused on TRUST_PROXY=1 without PUBLIC_URL'],
  ])('stop the start at an address that others can reach: %o', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence)
  })

  test('no sentence repeats a password in the address', () => {
    expect(() => readConfig({ PUBLIC_URL: 'https://user:hunter2@hearth.example' })).toThrow(/^(?!.*hunter2)/)
  })

  test.each([
    { PUBLIC_URL: publicUrl, ALLOW_DEMO: '1' },
    { PUBLIC_URL: publicUrl, SEED: 'reference', ...stripe },
    { PUBLIC_URL: 'http://localhost:8080' },
    { PUBLIC_URL: 'http://127.0.0.1:3000' },
    { PUBLIC_URL: 'http://[::1]:3000' },
    { PUBLIC_URL: 'http://localhost:8080', TRUST_PROXY: '1' },
    {},
  ])('start where it is meant, or where only this machine can reach them: %o', (environment) => {
    expect(() => readConfig(environment)).not.toThrow()
  })

  test('the development sign-in is absent at an address that others can reach, demo or not', async () => {
    const config = readConfig({ PUBLIC_URL: publicUrl, ALLOW_DEMO: '1' })
    expect(config.isLocal).toBe(false)
    expect(await identityOf(config)).toEqual({})
    expect(readConfig({ TRUST_PROXY: '1', ALLOW_DEMO: '1' }).isLocal).toBe(false)
  })
})

describe('a Google Calendar', () => {
  const both = { GOOGLE_CALENDAR_CLIENT_ID: 'an-id', GOOGLE_CALENDAR_CLIENT_SECRET: 'a-secret' }

  test('is set up by both or neither', () => {
    expect(readConfig(both)).toMatchObject(both)
    expect(readConfig({}).GOOGLE_CALENDAR_CLIENT_ID).toBeUndefined()
  })

  test.each([
    [
      { GOOGLE_CALENDAR_CLIENT_ID: 'an-id' },
      'GOOGLE_CALENDAR_CLIENT_ID is of no use without GOOGLE_CALENDAR_CLIENT_SECRET.',
    ],
    [
      { GOOGLE_CALENDAR_CLIENT_SECRET: 'a-secret' },
      'GOOGLE_CALENDAR_CLIENT_SECRET is of no use without GOOGLE_CALENDAR_CLIENT_ID.',
    ],
    [{ ...both, GOOGLE_CALENDAR_API: 'https://calendar.example.com' }, 'GOOGLE_CALENDAR_API is not usable'],
    [{ ...both, GOOGLE_CALENDAR_OAUTH: 'http://192.168.0.7' }, 'GOOGLE_CALENDAR_OAUTH is not usable'],
  ])('half given, or elsewhere, stops the start: %j', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence)
  })

  test('may stand in for itself on this machine', () => {
    const local = {
      GOOGLE_CALENDAR_API: 'http://127.0.0.1:9/calendar',
      GOOGLE_CALENDAR_OAUTH: 'http://localhost:9',
    }
    expect(readConfig({ ...both, ...local })).toMatchObject(local)
  })
})

test('browsers are sent to a bucket only where there is one', () => {
  expect(() => readConfig({ S3_DIRECT: '1' })).toThrow('S3_DIRECT is of no use without S3_BUCKET.')
})

test("a script stands in for Google's on this machine alone, and with a client id", () => {
  const client = { IDENTITY_CLIENT_ID: 'one' }
  const script = 'GOOGLE_SIGN_IN_SCRIPT'
  expect(readConfig({ ...client, [script]: 'none' })[script]).toBe('none')
  const local = 'http://127.0.0.1:9/gsi/client'
  expect(readConfig({ ...client, [script]: local })[script]).toBe(local)
  expect(() => readConfig({ [script]: local })).toThrow('is of no use without IDENTITY_CLIENT_ID')
  for (const other of ['https://example.com/gsi/client', 'http://127.0.0.1:9/script.js', 'nothing']) {
    expect(() => readConfig({ ...client, [script]: other })).toThrow(`${script} is not usable`)
  }
})

describe('traces', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com' }

  test('are sent with the headers that the collector asks for', () => {
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a=b,x-tenant=hearth' }
    expect(readConfig({ ...endpoint, ...headers })).toMatchObject({
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: { authorization: 'Bearer a=b', 'x-tenant': 'hearth' },
    })
    expect(readConfig({}).OTEL_EXPORTER_OTLP_ENDPOINT).toBeUndefined()
  })

  test.each([
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }, 'OTEL_EXPORTER_OTLP_HEADERS is of no use without'],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a' }, 'OTEL_EXPORTER_OTLP_HEADERS is not usable'],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a=%' }, 'OTEL_EXPORTER_OTLP_HEADERS is not usable'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://10.0.0.9:4318', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' },
      'OTEL_EXPORTER_OTLP_HEADERS is refused',
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not usable'],
    [{ ...endpoint, OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG is not usable'],
  ])('half given or unreadable, stop the start: %j', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence)
  })
})

describe('the private parts of libraries', () => {
  test('are all used unless some are named', () => {
    expect(readConfig({}).WITHOUT_INTERNALS).toEqual([])
    expect(readConfig({ WITHOUT_INTERNALS: 'prepared-calls,page-scripts' }).WITHOUT_INTERNALS).toEqual([
      'prepared-calls',
      'page-scripts',
    ])
    expect(() => readConfig({ WITHOUT_INTERNALS: 'all' })).toThrow('must be some of prepared-calls')
  })
})

describe('a pooler and a replica', () => {
  const server = { DATABASE_URL: 'postgres://pooler/hearth' }
  const owner = { DATABASE_ADMIN_URL: 'postgres://server/hearth' }

  test('are configured beside the database', () => {
    expect(readConfig(server)).toMatchObject({ DATABASE_PREPARED: 'on', DATABASE_READ_AGE: 2 })
    const all = {
      ...server,
      ...owner,
      DATABASE_PREPARED: 'off',
      DATABASE_READ_URL: 'postgres://replica/hearth',
    }
    expect(readConfig(all)).toMatchObject(all)
  })

  test.each([
    [
      { DATABASE_READ_URL: 'postgres://replica/hearth' },
      'DATABASE_READ_URL is of no use without DATABASE_URL',
    ],
    [{ DATABASE_LISTEN_URL: 'postgres://server/hearth' }, 'DATABASE_LISTEN_URL is of no use without'],
    [
      { ...server, DATABASE_LISTEN_URL: 'postgres://server/hearth', REDIS_URL: 'redis://cache' },
      'DATABASE_LISTEN_URL is of no use with REDIS_URL',
    ],
    [{ TURN_URLS: 'turn:relay.example.org:3478' }, 'TURN_URLS is of no use without TURN_SECRET'],
    [{ TURN_SECRET: 'x'.repeat(16) }, 'TURN_SECRET is of no use without TURN_URLS'],
    [{ ROOM_RELAY: 'always' }, 'ROOM_RELAY=always needs TURN_URLS'],
    [{ TURN_URLS: 'https://relay.example.org', TURN_SECRET: 'x'.repeat(16) }, 'TURN_URLS is not usable'],
    [{ STUN_URLS: 'turn:relay.example.org' }, 'STUN_URLS is not usable'],
    [{ ...owner }, 'DATABASE_ADMIN_URL is of no use without DATABASE_URL'],
    [{ ...server, DATABASE_PREPARED: 'off' }, 'DATABASE_PREPARED=off needs DATABASE_ADMIN_URL'],
    [{ ...server, ...owner, DATABASE_PREPARED: 'no' }, 'DATABASE_PREPARED is not usable'],
    [{ ...server, DATABASE_READ_URL: 'https://replica/' }, 'DATABASE_READ_URL is not usable'],
    [{ ...server, DATABASE_READ_AGE: '0' }, 'DATABASE_READ_AGE is not usable'],
  ])('half given or unreadable, stop the start: %j', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence)
  })
})
