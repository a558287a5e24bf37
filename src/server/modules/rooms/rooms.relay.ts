import { createHmac } from 'node:crypto'
import type { Room } from '#contract/rooms/rooms.ts'

/** How the browsers of a session's room reach each other. */
export type RelaySettings = {
  /** Servers that relay media, and the secret that their credentials are made with; none when absent. */
  turn?: { urls: readonly string[]; secret: string } | undefined
  /** Servers that tell a browser its address; none is asked when empty. */
  stunUrls: readonly string[]
  /** Whether media goes through the relay alone: `auto` lets the client choose, `never` has it as a fallback. */
  relay: 'auto' | 'always' | 'never'
}

type Holder = { appointmentId: string; accountId: string }

/** What a browser connects with: the servers of this installation, with credentials that end with the room. */
export function iceOf(settings: RelaySettings, holder: Holder, closesAt: Date): NonNullable<Room['ice']> {
  const { turn, stunUrls, relay } = settings
  return {
    servers: [
      ...(stunUrls.length > 0 ? [{ urls: [...stunUrls] }] : []),
      ...(turn ? [{ urls: [...turn.urls], ...turnCredentials(turn.secret, holder, closesAt) }] : []),
    ],
    has_relay: turn !== undefined,
    relay_only: turn !== undefined && relay !== 'never',
    may_go_direct: turn === undefined || relay !== 'always',
    expires_at: turn ? closesAt.toISOString() : null,
  }
}

/**
 * Credentials by a shared secret, as coturn's `use-auth-secret` checks them: the name is `expiry:random`, the password
 * the HMAC-SHA1 of it. The second part is the same for each call of a person in a session, so that a page that polls
 * keeps its servers, and tells nothing to those who lack the secret.
 */
export function turnCredentials(secret: string, { appointmentId, accountId }: Holder, expiresAt: Date) {
  const unlinkable = createHmac('sha256', secret).update(`${appointmentId} ${accountId}`).digest('base64url')
  const username = `${Math.floor(expiresAt.getTime() / 1000)}:${unlinkable.slice(0, 16)}`
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') }
}
