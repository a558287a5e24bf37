import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export type GoogleStandIn = Awaited<ReturnType<typeof startGoogle>>

/**
 * What stands in for Google's sign-in, on a port of its own: its description and keys, the script that draws the button,
 * the frame that the button is in, and the credential that a press of it hands over. As the real one does, it draws the
 * button only on a site that it knows, which it tells by the `Referer`.
 */
export async function startGoogle(clientId: string) {
  const keys = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  /** Who sits before the browser, and what is wrong with what is said of them, if anything. */
  const state = { person: {} as JWTPayload, forged: {} as JWTPayload, site: '' }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', origin)
    const send = (type: string, text: string) => response.writeHead(200, { 'content-type': type }).end(text)
    const json = (value: unknown) => send('application/json', JSON.stringify(value))
    response.setHeader('access-control-allow-origin', '*')
    if (url.pathname === '/.well-known/openid-configuration') {
      return json({
        issuer: origin,
        jwks_uri: `${origin}/keys`,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    }
    if (url.pathname === '/keys') return json({ keys: [jwk] })
    if (url.pathname === '/authorize') return send('text/html', '<h1>Choose an account</h1>')
    if (url.pathname === '/gsi/client') return send('text/javascript', script)
    if (url.pathname === '/gsi/style') return send('text/css', '.gsi-button { height: 44px }')
    if (url.pathname === '/gsi/status') return json({})
    if (url.pathname === '/gsi/button') {
      if (request.headers.referer !== `${state.site}/` || url.searchParams.get('client_id') !== clientId) {
        return response.writeHead(403).end()
      }
      return send('text/html', button)
    }
    const claims = { ...state.person, nonce: url.searchParams.get('nonce'), ...state.forged }
    void new SignJWT({ email_verified: true, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(origin)
      .setAudience(clientId)
      .setIssuedAt()
      .setExpirationTime('10 minutes')
      .sign(keys.privateKey)
      .then((credential) => json({ credential }))
    return response
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    clientId,
    state,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Knows the part of Google's script that the product uses; what it writes, it writes by a policy of its own. */
const script = `
(() => {
  const base = new URL('.', document.currentScript.src).href
  const policy = window.trustedTypes?.createPolicy('goog#html', { createHTML: (text) => text })
    ?? { createHTML: (text) => text }
  let wish
  const id = {
    initialize(given) { wish = given },
    renderButton(parent, look) {
      const style = document.createElement('link')
      style.rel = 'stylesheet'
      style.href = base + 'style'
      document.head.append(style)
      parent.innerHTML = policy.createHTML('<div class="gsi-button"></div>')
      const frame = document.createElement('iframe')
      const asked = new URLSearchParams({ client_id: wish.client_id, nonce: wish.nonce })
      frame.src = base + 'button?' + asked
      frame.title = 'Sign in with Google Button'
      frame.style.cssText = 'border:0;height:44px;width:' + look.width + 'px'
      parent.firstElementChild.append(frame)
    },
    cancel() {},
  }
  addEventListener('message', async (event) => {
    if (event.origin !== new URL(base).origin || !event.data.credential) return
    await fetch(base + 'status')
    wish.callback({ credential: event.data.credential, select_by: 'btn' })
  })
  window.google = { accounts: { id } }
})()`

const button = `<!doctype html><html lang="en"><title>Button</title><body style="margin:0">
<button style="width:100%;height:44px">Continue with Google</button>
<script>
document.querySelector('button').onclick = async () => {
  const { credential } = await (await fetch('/gsi/issue' + location.search)).json()
  parent.postMessage({ credential }, '*')
}
</script></body></html>`
