// What the browser loads in the place of Stripe.js: its own fields in frames, and the bank's page in one.

/** Knows the part of Stripe.js that the product uses. Nothing of a card passes through the product's page. */
export const stripeScript = `
(() => {
  const origin = new URL(document.currentScript.src).origin
  const frame = (path, title) => {
    const made = document.createElement('iframe')
    made.src = origin + path
    made.title = title
    made.style.cssText = 'border:0;width:100%;height:100%;display:block'
    return made
  }
  const call = async (path, body) => {
    const answer = await fetch(origin + path, { method: 'POST', body: JSON.stringify(body) })
    return answer.json()
  }
  const said = (source, type) => new Promise((resolve) => {
    const listen = (event) => {
      if (event.origin !== origin || event.source !== source() || event.data.type !== type) return
      removeEventListener('message', listen)
      resolve(event.data)
    }
    addEventListener('message', listen)
  })
  const titles = {
    cardNumber: 'Secure card number input frame',
    cardExpiry: 'Secure expiration date input frame',
    cardCvc: 'Secure CVC input frame',
  }
  const askBank = async (secret) => {
    const cover = document.createElement('div')
    cover.style.cssText = 'position:fixed;inset:0;z-index:9999;background:#fff'
    const asked = frame('/bank', 'Bank check')
    const answered = said(() => asked.contentWindow, 'answer')
    cover.append(asked)
    document.body.append(cover)
    const { outcome } = await answered
    cover.remove()
    return call('/browser/answer', { client_secret: secret, outcome })
  }
  window.Stripe = (key) => {
    if (!/^pk_test_/.test(key)) throw new Error('Not a key to publish.')
    const fields = {}
    return {
      elements: () => ({
        create(kind) {
          const listeners = { ready: [], change: [], focus: [], blur: [] }
          const made = frame('/field?kind=' + kind, titles[kind])
          addEventListener('message', ({ origin: from, source, data }) => {
            if (from === origin && source === made.contentWindow && listeners[data.type])
              for (const listener of listeners[data.type]) listener(data)
          })
          const element = {
            mount: (node) => node.append(made),
            on: (type, listener) => (listeners[type]?.push(listener), element),
            focus: () => made.contentWindow.postMessage({ type: 'focus' }, origin),
            clear: () => made.contentWindow.postMessage({ type: 'clear' }, origin),
            update() {},
            destroy: () => made.remove(),
          }
          fields[kind] = made
          return element
        },
      }),
      async confirmCardSetup(secret) {
        const saved = said(() => fields.cardNumber.contentWindow, 'saved')
        fields.cardNumber.contentWindow.postMessage({ type: 'save', secret }, origin)
        const { answer } = await saved
        if (answer.error) return { error: answer.error }
        const setupIntent = answer.status === 'requires_action' ? await askBank(secret) : answer
        return setupIntent.status === 'succeeded'
          ? { setupIntent }
          : { error: { type: 'invalid_request_error', message: 'We are unable to authenticate your payment method.' } }
      },
      async handleNextAction({ clientSecret }) {
        const paymentIntent = await askBank(clientSecret)
        return paymentIntent.last_payment_error ? { error: paymentIntent.last_payment_error } : { paymentIntent }
      },
    }
  }
})()
`

/** One field of a card. The three are of one origin, so the first reads the others. */
export const fieldPage = `<!doctype html><html lang="en"><meta charset="utf-8">
<style>body{margin:0}input{box-sizing:border-box;width:100%;height:44px;border:0;font:inherit;background:transparent}</style>
<input>
<script>
const kind = new URLSearchParams(location.search).get('kind')
const input = document.querySelector('input')
input.setAttribute('aria-label', { cardNumber: 'Card number', cardExpiry: 'Expiry date', cardCvc: 'Security code' }[kind])
const tell = (data) => parent.postMessage({ elementType: kind, ...data }, '*')
window.name = kind
input.addEventListener('input', () => {
  const digits = input.value.replace(/\\D/g, '').length
  const complete = digits >= { cardNumber: 15, cardExpiry: 4, cardCvc: 3 }[kind]
  tell({ type: 'change', complete, empty: digits === 0, error: undefined })
})
input.addEventListener('focus', () => tell({ type: 'focus' }))
input.addEventListener('blur', () => tell({ type: 'blur' }))
addEventListener('message', async ({ data }) => {
  if (data.type === 'focus') input.focus()
  if (data.type === 'clear') input.value = ''
  if (data.type !== 'save') return
  const others = {}
  for (let n = 0; n < parent.frames.length; n++) {
    try { const other = parent.frames[n]; others[other.name] = other.document.querySelector('input')?.value } catch {}
  }
  const answer = await fetch('/browser/setup', { method: 'POST', body: JSON.stringify({
    client_secret: data.secret, number: input.value, expiry: others.cardExpiry, cvc: others.cardCvc }) })
  tell({ type: 'saved', answer: await answer.json() })
})
tell({ type: 'ready' })
</script></html>`

/** The page of a bank that asks whether it is really them. */
export const bankPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bank</title>
<h1>Is it you?</h1>
<button data-outcome="right">Complete authentication</button>
<button data-outcome="wrong">Fail authentication</button>
<script>
for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', () => parent.postMessage({ type: 'answer', outcome: button.dataset.outcome }, '*'))
</script></html>`
