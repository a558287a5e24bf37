import { createRemoteJWKSet, errors as jose, jwtVerify } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  type Configuration,
  discovery,
  None,
  ResponseBodyError,
} from 'openid-client'
import type { IdentityProvider } from './port.ts'

export type OpenidOptions = {
  name: string
  /** Where its description is found: `{issuer}/.well-known/openid-configuration`. */
  issuer: string
  clientId: string
  /** Without one the client is a public one, protected by PKCE alone. */
  clientSecret?: string | undefined
  /** Plain HTTP, for a provider on this machine. */
  insecure?: boolean
  /** Whether the provider vouches for a confirmed email as of today. By default it does for every one. */
  vouchesFor?(email: string, claims: Record<string, unknown>): boolean
  now(): Date
}

export const isGoogle = (issuer: string): boolean => /^https:\/\/accounts\.google\.com\/?$/.test(issuer)

/**
 * Google vouches for an email where it keeps the mailbox: at Gmail, and in the domains of its Workspace (`hd`). Any other
 * was confirmed once, when the Google account was opened, and may have changed hands since
 * ([Verify the Google ID token](https://developers.google.com/identity/gsi/web/guides/verify-google-id-token)).
 */
export const googleVouchesFor = (email: string, { hd }: Record<string, unknown>): boolean =>
  /@(gmail|googlemail)\.com$/i.test(email.trim()) || (typeof hd === 'string' && hd !== '')

/** Of ID tokens; what is symmetric or unsigned is not among them. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']

/** Clocks may differ by this much, seconds. */
const tolerance = 60

/** Any provider that describes itself by OpenID Connect Discovery. It is asked for its description on first use. */
export function openidProvider(options: OpenidOptions): IdentityProvider {
  const { issuer, clientId, clientSecret, now } = options
  type Known = { configuration: Configuration; keys: ReturnType<typeof createRemoteJWKSet> }
  let known: Promise<Known> | undefined

  const describe = async (): Promise<Known> => {
    const configuration = await discovery(
      new URL(issuer),
      clientId,
      {},
      clientSecret ? ClientSecretPost(clientSecret) : None(),
      { timeout: 10, ...(options.insecure ? { execute: [allowInsecureRequests] } : {}) },
    )
    const { jwks_uri: address } = configuration.serverMetadata()
    if (!address) throw new Error('The provider publishes no keys.')
    return { configuration, keys: createRemoteJWKSet(new URL(address), { timeoutDuration: 10_000 }) }
  }
  const ask = async (): Promise<Known | undefined> => {
    known ??= describe()
    try {
      return await known
    } catch {
      // Asked again next time.
      known = undefined
      return undefined
    }
  }

  return {
    name: options.name,

    async verify(credential) {
      const provider = await ask()
      if (!provider) return { ok: false, why: 'unavailable' }
      try {
        const { payload } = await jwtVerify(credential, provider.keys, {
          issuer: provider.configuration.serverMetadata().issuer,
          audience: clientId,
          algorithms,
          clockTolerance: tolerance,
          currentDate: now(),
          requiredClaims: ['sub', 'exp', 'iat', 'nonce', 'email'],
        })
        const { sub, nonce, email, email_verified: isVerified, azp } = payload
        const isMeantForUs = azp === undefined || azp === clientId
        if (!isMeantForUs || isVerified !== true) return { ok: false, why: 'refused' }
        if (typeof sub !== 'string' || typeof nonce !== 'string' || typeof email !== 'string') {
          return { ok: false, why: 'refused' }
        }
        const ownsEmail = options.vouchesFor?.(email, payload) ?? true
        return {
          ok: true,
          identity: {
            issuer: payload.iss ?? issuer,
            subject: sub,
            email,
            ownsEmail,
            nonce,
            ...namesOf(payload),
          },
        }
      } catch (error) {
        return { ok: false, why: isAbsence(error) ? 'unavailable' : 'refused' }
      }
    },

    async begin({ redirectUri, state, nonce, verifier }) {
      const provider = await ask()
      if (!provider) return { ok: false, why: 'unavailable' }
      const url = buildAuthorizationUrl(provider.configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { ok: true, url }
    },

    async finish(address, { state, nonce, verifier }) {
      const provider = await ask()
      if (!provider) return { ok: false, why: 'unavailable' }
      try {
        const tokens = await authorizationCodeGrant(provider.configuration, address, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        return tokens.id_token ? { ok: true, credential: tokens.id_token } : { ok: false, why: 'refused' }
      } catch (error) {
        if (error instanceof AuthorizationResponseError) {
          return { ok: false, why: error.error === 'access_denied' ? 'cancelled' : 'refused' }
        }
        const isJudged = error instanceof ResponseBodyError || isOfProtocol(error)
        return { ok: false, why: isJudged ? 'refused' : 'unavailable' }
      }
    },
  }
}

/** Returns the names from the provider. If there is none, the part of the email before the @ is the name. */
function namesOf(claims: Record<string, unknown>): { firstName: string; lastName: string } {
  const text = (value: unknown) => (typeof value === 'string' ? tidied(value) : '')
  const [, local = ''] = /^([^@]+)@/.exec(text(claims.email)) ?? []
  const first = text(claims.given_name)
  const last = text(claims.family_name)
  if (first) return { firstName: first, lastName: last }
  const [whole = local, ...rest] = (text(claims.name) || local).split(' ')
  return { firstName: whole, lastName: rest.join(' ') }
}

const tidied = (text: string) =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 100)

/** The provider could not be reached or made no sense, as opposed to a credential that is no good. */
function isAbsence(error: unknown): boolean {
  if (error instanceof jose.JWKSTimeout || error instanceof jose.JWKSInvalid) return true
  if (error instanceof jose.JOSEError) return error.code === 'ERR_JOSE_GENERIC'
  return true
}

/** What openid-client says of an answer that breaks the protocol: a wrong state, nonce or signature. */
const isOfProtocol = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('OAUTH_') && !isTimeout(error)

const isTimeout = (error: { code?: unknown }) =>
  error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT'
