import type { z } from 'zod'
import type { Deps } from './deps.ts'
import type { SecretPurpose } from './secrets.ts'

/** The state of a way through another site's pages and back, which the browser keeps sealed meanwhile. */
export function createJourneys<T extends { expires: number }>(
  { secrets, clock }: Pick<Deps, 'secrets' | 'clock'>,
  purpose: SecretPurpose,
  schema: z.ZodType<T>,
) {
  return {
    seal: (journey: T): string =>
      secrets.seal(purpose, 'journey', Buffer.from(JSON.stringify(journey))).toString('base64url'),

    /** Returns undefined for none, for one that was changed and for one that has expired. */
    open(kept: string | undefined): T | undefined {
      if (!kept) return undefined
      try {
        const text = secrets.open(purpose, 'journey', Buffer.from(kept, 'base64url')).toString()
        const journey = schema.parse(JSON.parse(text))
        return journey.expires > clock.now().getTime() ? journey : undefined
      } catch {
        return undefined
      }
    },
  }
}
