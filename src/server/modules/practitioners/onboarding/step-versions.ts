import type { IncomingHttpHeaders } from 'node:http'
import { type KnownVersions, readVersions } from './onboarding.rules.ts'

/** The versions of steps that a window says it has seen. */
export function versionsOf(headers: IncomingHttpHeaders): KnownVersions {
  return readVersions(headers['if-match'])
}
