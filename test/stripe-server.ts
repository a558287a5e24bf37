// A stand-in for Stripe in a process of its own, with books in a file: `node test/stripe-server.ts BOOKS PORT`. It prints
// its address on the first line. It knows the calls that the product makes, rejects parameters that the SDK's types do not
// have, replays answers by idempotency key, signs its webhook events, and fails on demand: see test/stripe.ts.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { stripeBank } from './stripe/bank.ts'
import { byDashboard, type DashboardAction } from './stripe/dashboard.ts'
import { openLedger, type StripeType } from './stripe/ledger.ts'
import { type Form, parseForm, unknownParameter } from './stripe/parameters.ts'
import { Refused } from './stripe/refused.ts'
import { bankPage, fieldPage, stripeScript } from './stripe/script.ts'

const [books = ':memory:', port = '0'] = process.argv.slice(2)
const ledger = openLedger(books)
const bank = stripeBank(ledger)

type Call = { id: string; form: Form }
type Route = {
  call: string
  parameters: { resource: string; type: string }
  run(call: Call): unknown
}
const of = (resource: string, type: string) => ({ resource, type })

const routes: Route[] = [
  {
    call: 'POST /v1/customers',
    parameters: of('Customers', 'CustomerCreateParams'),
    run: ({ form }) => bank.createCustomer(form),
  },
  {
    call: 'GET /v1/customers/:id',
    parameters: of('Customers', 'CustomerRetrieveParams'),
    run: ({ id }) => bank.customer(id),
  },
  {
    call: 'DELETE /v1/customers/:id',
    parameters: of('Customers', 'CustomerDeleteParams'),
    run: ({ id }) => bank.removeCustomer(id),
  },
  {
    call: 'POST /v1/setup_intents',
    parameters: of('SetupIntents', 'SetupIntentCreateParams'),
    run: ({ form }) => bank.createSetup(form),
  },
  {
    call: 'GET /v1/payment_methods/:id',
    parameters: of('PaymentMethods', 'PaymentMethodRetrieveParams'),
    run: ({ id }) => bank.method(id),
  },
  {
    call: 'POST /v1/payment_methods/:id/detach',
    parameters: of('PaymentMethods', 'PaymentMethodDetachParams'),
    run: ({ id }) => bank.detach(id),
  },
  {
    call: 'POST /v1/payment_intents',
    parameters: of('PaymentIntents', 'PaymentIntentCreateParams'),
    run: ({ form }) => bank.createIntent(form),
  },
  {
    call: 'GET /v1/payment_intents/:id',
    parameters: of('PaymentIntents', 'PaymentIntentRetrieveParams'),
    run: ({ id }) => bank.intent(id),
  },
  {
    call: 'POST /v1/payment_intents/:id/confirm',
    parameters: of('PaymentIntents', 'PaymentIntentConfirmParams'),
    run: ({ id, form }) => bank.confirmIntent(id, form),
  },
  {
    call: 'POST /v1/payment_intents/:id/capture',
    parameters: of('PaymentIntents', 'PaymentIntentCaptureParams'),
    run: ({ id, form }) => bank.captureIntent(id, form),
  },
  {
    call: 'POST /v1/payment_intents/:id/cancel',
    parameters: of('PaymentIntents', 'PaymentIntentCancelParams'),
    run: ({ id }) => bank.cancelIntent(id),
  },
  {
    call: 'POST /v1/refunds',
    parameters: of('Refunds', 'RefundCreateParams'),
    run: ({ form }) => bank.createRefund(form),
  },
  {
    call: 'GET /v1/refunds',
    parameters: of('Refunds', 'RefundListParams'),
    run: ({ form }) => ({
      object: 'list',
      data: bank.refundsOf(String(form.payment_intent)),
      has_more: false,
      url: '/v1/refunds',
    }),
  },
]

routes.push({
  call: 'GET /v1/disputes',
  parameters: of('Disputes', 'DisputeListParams'),
  run: ({ form }) => ({
    object: 'list',
    data: bank.disputesOf(String(form.payment_intent)),
    has_more: false,
    url: '/v1/disputes',
  }),
})

/**
 * What goes wrong with the next calls of a kind: `lost` carries it out and never answers, `cut` carries it out and hangs
 * up, `refused` hangs up before it is carried out, `fault` answers 500 instead, and goes on to under the same key. `short`:
 * the balance is too small for a refund, so that it is made and not sent.
 */
type Fault = { call: string; kind: 'lost' | 'cut' | 'refused' | 'fault' | 'short'; times: number }
let faults: Fault[] = []
/** Every call that came, with its key and whether it was answered from what is kept. */
const heard: { call: string; key: string; repeated: boolean; form: Form }[] = []
/** `at`: the time of the clock that its webhook events are signed at, in seconds; the real one when absent. */
let webhook: { url: string; secret: string; at?: number } | undefined
/** Up to which event has been sent. */
let sent = 0

const server = createServer((request, response) => {
  void answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    response.destroy()
  })
})
server.listen(Number(port), '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://stripe.test')
  const body = await textOf(request)
  response.setHeader('access-control-allow-origin', '*')
  if (url.pathname === '/stripe.js') return page(response, 'text/javascript', stripeScript)
  if (url.pathname === '/field') return page(response, 'text/html', fieldPage)
  if (url.pathname === '/bank') return page(response, 'text/html', bankPage)
  if (url.pathname.startsWith('/browser/')) return byBrowser(url.pathname, body, response)
  if (url.pathname.startsWith('/control/')) return send(response, 200, await control(url.pathname, body))
  return byProduct(request, url, body, response)
}

/** What the SDK calls. */
async function byProduct(
  request: IncomingMessage,
  url: URL,
  body: string,
  response: ServerResponse,
): Promise<void> {
  const [, id = ''] = /^\/v1\/\w+\/([^/]+)/.exec(url.pathname) ?? []
  const call = `${request.method} ${url.pathname.replace(/^(\/v1\/\w+\/)[^/]+/, '$1:id')}`
  const route = routes.find((each) => each.call === call)
  const form = parseForm(request.method === 'GET' ? url.search.slice(1) : body)
  const key = String(request.headers['idempotency-key'] ?? '')
  response.setHeader('request-id', ledger.id('req'))
  if (key) response.setHeader('idempotency-key', key)
  const refuse = (error: Refused) =>
    send(response, error.status, { error: { ...error.error, request_log_url: null } })
  if (!/^Bearer sk_test_\w+$/.test(request.headers.authorization ?? ''))
    return refuse(new Refused(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' }))
  if (!route)
    return refuse(
      new Refused(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${call}).` }),
    )
  const wrong = unknownParameter(route.parameters, form)
  if (wrong)
    return refuse(
      new Refused(400, {
        type: 'invalid_request_error',
        code: 'parameter_unknown',
        ...wrong,
      }),
    )
  // Stripe would take it; a key that the SDK has made up is another at the next try of ours.
  if (request.method === 'POST' && !/^(?!stripe-node-retry)[\w-]{8,255}$/.test(key))
    return refuse(
      new Refused(400, { type: 'invalid_request_error', message: 'This write has no key of the product.' }),
    )

  const asked = `${call} ${id} ${JSON.stringify(form)}`
  const kept = key ? ledger.key(key) : undefined
  heard.push({ call, key, repeated: kept !== undefined, form })
  if (kept && kept.request !== asked)
    return refuse(
      new Refused(400, {
        type: 'idempotency_error',
        message:
          'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      }),
    )
  if (kept?.status === null)
    return refuse(
      new Refused(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: 'There is currently another in-progress request using this Idempotent Key.',
      }),
    )
  const fault = kept ? undefined : nextFault(call)
  if (fault?.kind === 'refused') return void response.destroy()
  if (kept) {
    response.setHeader('idempotent-replayed', 'true')
    return send(response, kept.status ?? 500, JSON.parse(kept.answer ?? 'null'))
  }
  if (key) ledger.beginKey(key, asked)
  // A bank takes its time; the same request meanwhile gets a 409.
  if (call.endsWith('/confirm')) await sleep(20)
  const [status, found] = carryOut(route, { id, form }, fault)
  if (key) ledger.keepAnswer(key, status, JSON.stringify(found))
  void deliver()
  if (fault?.kind === 'cut') return void response.destroy()
  if (fault?.kind === 'lost') return
  send(response, status, found)
}

function carryOut(route: Route, call: Call, fault: Fault | undefined): [number, unknown] {
  if (fault?.kind === 'fault')
    return [500, { error: { type: 'api_error', message: 'An unknown error occurred' } }]
  try {
    const made = route.run(call)
    if (fault?.kind === 'short') return [200, bank.delayRefund((made as Stripe.Refund).id)]
    return [200, expanded(made, call.form)]
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return [error.status, { error: error.error }]
  }
}

/** Puts the charge in the place of its id, if the request expands `latest_charge`. */
function expanded(found: unknown, form: Form): unknown {
  const intent = found as Partial<Stripe.PaymentIntent>
  const wants = typeof form.expand === 'object' && Object.values(form.expand).includes('latest_charge')
  if (!wants || typeof intent.latest_charge !== 'string') return found
  return { ...intent, latest_charge: ledger.get('charge', intent.latest_charge) }
}

function nextFault(call: string): Fault | undefined {
  const fault = faults.find((each) => each.call === call && each.times > 0)
  if (fault) fault.times--
  return fault
}

/** The field's usual test cards. */
const testCards: Record<string, string> = {
  '4242424242424242': 'succeeds',
  '5555555555554444': 'succeeds',
  '378282246310005': 'succeeds',
  '4000002500003155': 'requires_action',
  '4000000000000002': 'card_declined',
}

/** What Stripe.js calls, with the publishable key alone. */
async function byBrowser(path: string, body: string, response: ServerResponse): Promise<void> {
  const sent = JSON.parse(body) as Record<string, string>
  try {
    if (path === '/browser/setup') {
      const number = (sent.number ?? '').replace(/\D/g, '')
      const behaviour = testCards[number]
      if (!behaviour)
        throw new Refused(402, {
          type: 'card_error',
          code: 'incorrect_number',
          message: 'Your card number is incorrect.',
        })
      const [month = '', year = ''] = (sent.expiry ?? '').split('/').map((part) => part.trim())
      const card = { number, exp_month: Number(month), exp_year: 2000 + Number(year) }
      send(response, 200, bank.saveCard(sent.client_secret ?? '', card, behaviour))
    } else {
      send(response, 200, bank.answer(sent.client_secret ?? '', sent.outcome === 'right'))
    }
    void deliver()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    send(response, error.status, { error: error.error })
  }
}

/** What a test tells it. */
async function control(path: string, body: string): Promise<unknown> {
  const told = JSON.parse(body || '{}') as Record<string, unknown>
  switch (path) {
    case '/control/bank':
      ledger.setBank(String(told.card), String(told.behaviour))
      return null
    case '/control/faults':
      faults = told.faults as Fault[]
      return null
    case '/control/forget-keys':
      ledger.forgetKeys()
      return null
    case '/control/webhook':
      webhook = told.url ? (told as NonNullable<typeof webhook>) : undefined
      return null
    case '/control/dashboard': {
      const result = byDashboard(bank, told as DashboardAction)
      if (told.loseEvents) sent = ledger.eventsAfter(sent).at(-1)?.seq ?? sent
      void deliver()
      return result
    }
    case '/control/deliver':
      return deliverAll(told as { order: 'as it was' | 'backwards'; times: number })
    case '/control/heard':
      return heard
    case '/control/objects':
      return ledger.all(told.type as StripeType)
    default:
      throw new Error(`Nothing is controlled at ${path}.`)
  }
}

/** Sends what is new, in order. */
async function deliver(): Promise<void> {
  if (!webhook) return
  const fresh = ledger.eventsAfter(sent)
  sent = fresh.at(-1)?.seq ?? sent
  for (const { body } of fresh) await post(body)
}

/** Sends everything that has ever happened, so often and in that order. What was answered. */
async function deliverAll({ order, times }: { order: string; times: number }): Promise<number[]> {
  const all = Array.from({ length: times }, () => ledger.eventsAfter(0)).flat()
  const answers: number[] = []
  for (const { body } of order === 'backwards' ? all.toReversed() : all) answers.push(await post(body))
  return answers
}

async function post(payload: string): Promise<number> {
  if (!webhook) return 0
  const signature = new Stripe('sk_test_signing').webhooks.generateTestHeaderString({
    payload,
    secret: webhook.secret,
    ...(webhook.at === undefined ? {} : { timestamp: webhook.at }),
  })
  const answered = await fetch(webhook.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    body: payload,
  }).catch(() => undefined)
  return answered?.status ?? 0
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}

function page(response: ServerResponse, type: string, body: string): void {
  response.setHeader('content-type', `${type}; charset=utf-8`)
  response.end(body)
}
