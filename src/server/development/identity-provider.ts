import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { memoryAdapter } from './memory-adapter.ts'
import { type Account, type Interaction, Provider } from 'oidc-provider'

export type DevelopmentProvider = {
  issuer: string
  clientId: string
  /** Serves all paths below the issuer's address. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/**
 * Creates an OpenID provider that accepts any typed email and name, without a password. For development, demonstrations
 * and tests, on this machine alone. It keeps its accounts in memory.
 * @param issuer the address below which it is mounted, without a slash at the end
 */
export async function developmentProvider(options: {
  issuer: string
  clientId: string
  redirectUri: string
}): Promise<DevelopmentProvider> {
  const { issuer, clientId, redirectUri } = options
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'development', alg: 'ES256', use: 'sig' }
  const mount = new URL(issuer).pathname.replace(/\/$/, '')
  const people = new Map<string, Account>()

  const provider = new Provider(issuer, {
    adapter: memoryAdapter,
    jwks: { keys: [key] },
    cookies: { keys: [crypto.randomUUID()] },
    clients: [
      {
        client_id: clientId,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'none',
        id_token_signed_response_alg: 'ES256',
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
    },
    // In the ID token itself, where the product reads them.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `${mount}/choose/${uid}` },
    findAccount: (_context, id) => people.get(id),
    // A submitted name counts as consent.
    async loadExistingGrant(context) {
      const { client, session, provider: own } = context.oidc
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ttl: { Interaction: 900, Session: 900, Grant: 900, IdToken: 600, AuthorizationCode: 60, AccessToken: 60 },
    async renderError(context) {
      context.type = 'text/plain; charset=utf-8'
      context.body = 'This did not work. Please go back and try again.'
    },
  })
  const callback = provider.callback()

  return {
    issuer,
    clientId,
    async handle(request, response) {
      const path = (request.url ?? '/').slice(mount.length).split('?')[0] ?? ''
      if (!/^\/choose\/[\w-]+$/.test(path)) {
        // It knows its mount from where the request seems to have been sent.
        const { url } = request
        Object.assign(request, { originalUrl: url, url: url?.slice(mount.length) || '/' })
        await callback(request, response)
        return
      }
      const interaction = await provider.interactionDetails(request, response).catch(() => undefined)
      if (!interaction) {
        response.writeHead(400, plain).end('This has expired. Please go back and try again.')
      } else if (request.method === 'POST') {
        await choose(await readForm(request), request, response)
      } else {
        response
          .writeHead(200, { ...plain, 'content-type': 'text/html; charset=utf-8' })
          .end(page(interaction))
      }
    },
  }

  async function choose(form: URLSearchParams, request: IncomingMessage, response: ServerResponse) {
    const text = (name: string) => (form.get(name) ?? '').trim().slice(0, 200)
    if (form.has('cancel') || !text('email').includes('@')) {
      const result = { error: 'access_denied', error_description: 'Nobody was chosen' }
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
      return
    }
    const email = text('email').toLowerCase()
    const claims = {
      email,
      email_verified: !form.has('unconfirmed'),
      given_name: text('first_name'),
      family_name: text('last_name'),
    }
    const sub = `development|${email}`
    people.set(sub, { accountId: sub, claims: async () => ({ sub, ...claims }) })
    await provider.interactionFinished(
      request,
      response,
      { login: { accountId: sub, remember: false } },
      { mergeWithLastSubmission: false },
    )
  }
}

const plain = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'content-type': 'text/plain; charset=utf-8',
  'referrer-policy': 'no-referrer',
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > 10_000) break
  }
  return new URLSearchParams(text)
}

/** The page with the form for email and name. */
function page({ uid }: Interaction): string {
  return `<!doctype html>
<html lang="en-GB">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>Development sign-in</title>
<style>
  body { font: 1.0625rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 3rem auto; padding: 0 1rem }
  label { display: block; margin: 1rem 0 .25rem } input:not([type=checkbox]) { width: 100%; box-sizing: border-box; font: inherit; padding: .6rem }
  button { font: inherit; padding: .7rem 1.2rem; margin: 1.5rem .5rem 0 0; min-height: 44px }
  p.note { border: 2px dashed; padding: .75rem 1rem }
</style>
<main>
<h1>Development sign-in</h1>
<p class="note">This stands in for a real provider on this machine. Anybody may be anybody here: type any email.</p>
<form method="post" action="${uid}">
  <label for="email">Email</label><input id="email" name="email" type="email" required autofocus>
  <label for="first">First name</label><input id="first" name="first_name">
  <label for="last">Last name</label><input id="last" name="last_name">
  <p><label><input type="checkbox" name="unconfirmed"> The provider has not confirmed this email</label></p>
  <button>Continue</button><button name="cancel" value="1" formnovalidate>Cancel</button>
</form>
</main>
</html>`
}
