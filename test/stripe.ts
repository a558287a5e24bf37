import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { StripeObjects, StripeType } from './stripe/ledger.ts'
import type { DashboardAction } from './stripe/dashboard.ts'

export const stripeKeys = {
  secretKey: 'sk_test_hearth',
  publishableKey: 'pk_test_hearth',
  webhookSecret: 'whsec_hearth',
}

export type Behaviour =
  | 'succeeds'
  | 'requires_action'
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  /** Declined for want of authentication, also when the cardholder is there. */
  | 'authentication_required'

type Fault = { call: string; kind: 'lost' | 'cut' | 'refused' | 'fault' | 'short'; times: number }

type HeardCall = { call: string; key: string; repeated: boolean; form: Record<string, unknown> }

export type StripeStandIn = Awaited<ReturnType<typeof startStripe>>

/** Starts what stands in for Stripe, in a process of its own. Stop it when done. */
export async function startStripe() {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-stripe-'))
  let process = await start('0')

  async function start(port: string) {
    const script = fileURLToPath(new URL('stripe-server.ts', import.meta.url))
    const child = spawn(globalThis.process.execPath, [script, join(folder, 'books.sqlite'), port], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    return { child, url }
  }
  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const ended = once(process.child, 'exit')
    process.child.kill(signal)
    await ended
  }
  async function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${process.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
    return { status: answer.status, body: await answer.json() }
  }
  const control = async (what: string, body: unknown = {}): Promise<unknown> =>
    (await post(`/control/${what}`, body)).body

  return {
    get url() {
      return process.url
    },

    /** Saves a card as Stripe.js does in the browser. Returns the id of the payment method. */
    async saveInBrowser(
      clientSecret: string,
      given: { number?: string; expiry?: string; behaviour?: Behaviour } = {},
    ): Promise<string> {
      const { number = '4242424242424242', expiry = '12 / 34', behaviour } = given
      const { status, body } = await post('/browser/setup', {
        client_secret: clientSecret,
        number,
        expiry,
      })
      if (status !== 200) throw new Error(`The card was not saved: ${JSON.stringify(body)}`)
      const card = (body as { payment_method: string }).payment_method
      if (behaviour) await control('bank', { card, behaviour })
      return card
    },

    /** Answers the bank's authentication page as the client. */
    async answerBank(clientSecret: string, outcome: 'right' | 'wrong'): Promise<void> {
      await post('/browser/answer', { client_secret: clientSecret, outcome })
    },

    /** Sets how the bank behind a saved card responds from now on. */
    setBank: (card: string, behaviour: Behaviour) => control('bank', { card, behaviour }),
    fail: (...faults: Fault[]) => control('faults', { faults }),
    forgetKeys: () => control('forget-keys'),
    /**
     * Carries out what a user of Stripe's dashboard does, or a bank decides. Returns the id of the object made.
     * `loseEvents`: its webhook events are never sent.
     */
    dashboard: async (action: DashboardAction & { loseEvents?: boolean }) =>
      String(await control('dashboard', action)),
    /** Sends webhook events to this address from now on; `null` stops them. `now`: the product's clock if it is not the real one. */
    sendWebhooks: (url: string | null, now?: Date) =>
      control(
        'webhook',
        url === null
          ? {}
          : {
              url,
              secret: stripeKeys.webhookSecret,
              ...(now ? { at: Math.floor(now.getTime() / 1000) } : {}),
            },
      ),
    /** Sends everything that has happened once more. What each was answered with. */
    deliverAll: async (order: 'as it was' | 'backwards', times = 1) =>
      (await control('deliver', { order, times })) as number[],
    /** Every call of the product so far. */
    heard: async () => (await control('heard')) as HeardCall[],
    /** Its books, newest first. */
    objects: async <K extends StripeType>(type: K) =>
      (await control('objects', { type })) as StripeObjects[K][],

    /** Ends without a warning and comes back with the same books. */
    async restart(): Promise<void> {
      await end('SIGKILL')
      process = await start(new URL(process.url).port)
    },

    async stop(): Promise<void> {
      await end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
