import { createRequire } from 'node:module'
import type {
  CompatData,
  CompatStatement,
  Identifier,
  SimpleSupportStatement,
  VersionValue,
} from '@mdn/browser-compat-data/types'
import { oldestBrowsers } from '../scripts/oldest-browsers.ts'

const { api, javascript } = createRequire(import.meta.url)('@mdn/browser-compat-data') as CompatData

/** What the product's policy asks for where it is known: a browser that lacks it does not know the policy either. */
const trustedTypes = /^trustedTypes$|^TrustedType/

/** A script that takes away what one of the oldest browsers lacks of built-in objects, functions and properties. */
export function withoutNewerBuiltIns(): string {
  const newer = [...newerOf(javascript.builtins), ...newerOf(api)].filter(
    ({ name, member }) => !trustedTypes.test(name) && !trustedTypes.test(member ?? ''),
  )
  return `for (const { name, member, isStatic } of ${JSON.stringify(newer)}) {
    const owner = name === 'Window' ? globalThis : globalThis[name]
    if (!member) delete globalThis[name]
    else if (owner) delete (isStatic ? owner : (owner.prototype ?? owner))[member]
  }`
}

type BuiltIn = { name: string; member?: string; isStatic?: boolean }

function newerOf(interfaces: Identifier = {}): BuiltIn[] {
  return partsOf(interfaces).flatMap(([name, each]) => {
    if (!isInAll(each.__compat)) return [{ name }]
    return partsOf(each)
      .filter(([, part]) => !isInAll(part.__compat))
      .flatMap(([key]) => {
        const member = key.replace(/_static$/, '')
        // Of the language's own objects the data do not say which members are static. None is both, of the newer ones.
        const kinds = key !== member ? [true] : interfaces === javascript.builtins ? [true, false] : [false]
        return kinds.map((isStatic) => ({ name, member, isStatic }))
      })
  })
}

const partsOf = ({ __compat, ...parts }: Identifier) => Object.entries(parts as Record<string, Identifier>)

function isInAll(statement: CompatStatement | undefined): boolean {
  if (!statement) return true
  return Object.entries(oldestBrowsers).every(([browser, oldest]) => {
    const support = statement.support[browser as keyof typeof oldestBrowsers] ?? []
    return [support].flat().some((each) => isThere(each, oldest))
  })
}

function isThere(support: SimpleSupportStatement, oldest: string): boolean {
  const { version_added: added, version_removed: removed } = support
  if (support.flags || support.prefix || support.alternative_name) return false
  return !isLater(added, oldest) && (removed === undefined || isLater(removed, oldest))
}

/** Whether a version, or none at all, comes after another. */
function isLater(version: VersionValue, other: string): boolean {
  if (typeof version !== 'string' || version === 'preview') return true
  const [major = 0, minor = 0] = version.replace('≤', '').split('.').map(Number)
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number)
  return major === otherMajor ? minor > otherMinor : major > otherMajor
}
