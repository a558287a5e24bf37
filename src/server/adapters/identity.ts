import { systemClock } from '../clock.ts'
import { type Config, googleSignInScript } from '../config.ts'
import type { DevelopmentProvider } from '../development/identity-provider.ts'
import { googleVouchesFor, isGoogle, openidProvider } from '../integrations/identity/openid.ts'
import type { IdentityProvider } from '../integrations/identity/port.ts'

/** What Google's own button is drawn by, where it is Google that people sign in by; a link leads there otherwise. */
export function identityButton(config: Config): { script: string; clientId: string } | null {
  const { GOOGLE_SIGN_IN_SCRIPT: script, IDENTITY_CLIENT_ID: clientId, IDENTITY_ISSUER: issuer } = config
  if (!clientId || script === 'none') return null
  return isGoogle(issuer) || script !== googleSignInScript ? { script, clientId } : null
}

/**
 * Returns the configured identity provider. With demo data on a product that only this machine can reach, returns the
 * development provider, which accepts any email and name.
 */
export async function identityOf(
  config: Config,
): Promise<{ provider?: IdentityProvider; development?: DevelopmentProvider }> {
  const { now } = systemClock
  if (config.IDENTITY_CLIENT_ID) {
    const issuer = config.IDENTITY_ISSUER
    const provider = openidProvider({
      name: config.IDENTITY_NAME,
      issuer,
      clientId: config.IDENTITY_CLIENT_ID,
      clientSecret: config.IDENTITY_CLIENT_SECRET,
      insecure: issuer.startsWith('http:'),
      ...(isGoogle(issuer) ? { vouchesFor: googleVouchesFor } : {}),
      now,
    })
    return { provider }
  }
  if (config.SEED !== 'demo' || !config.isLocal) return {}
  const { developmentProvider } = await import('../development/identity-provider.ts')
  const issuer = `${config.PUBLIC_URL}/development/identity`
  const clientId = 'hearth'
  const redirectUri = `${config.PUBLIC_URL}/api/v7/identity/callback`
  const development = await developmentProvider({ issuer, clientId, redirectUri })
  const insecure = issuer.startsWith('http:')
  return {
    provider: openidProvider({ name: 'a made-up account', issuer, clientId, insecure, now }),
    development,
  }
}
