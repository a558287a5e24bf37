import type { FastifyRequest } from 'fastify'
import type { Origin } from './caller.ts'
import { deviceCookies, readDeviceToken } from './device-cookie.ts'
import { marksCookie, readMarks } from './known-browser.ts'

type Call = {
  address: string
  request: FastifyRequest
  setHeader(name: string, value: string): void
}

/**
 * Where a sign-in comes from.
 * @param isSecure whether people reach the product by https
 * @param stays whether the browser is to stay signed in
 */
export function originOf({ address, request, setHeader }: Call, isSecure: boolean, stays = false): Origin {
  return {
    address,
    device: deviceOf(request.headers['user-agent']),
    browser: {
      marks: readMarks(request.headers.cookie),
      keep: (marks) => setHeader('set-cookie', marksCookie(marks, isSecure)),
      deviceToken: readDeviceToken(request.headers.cookie),
      stays,
      keepDevice(role, token) {
        for (const cookie of deviceCookies(role, token)) setHeader('set-cookie', cookie)
      },
    },
  }
}

/**
 * Returns a coarse name of the device of a sign-in, such as 'Firefox on Windows'. It consists of our own words alone, so
 * that nothing a browser sends is stored. Returns null if neither browser nor system is known.
 */
export function deviceOf(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, 1000)
  const find = (names: readonly (readonly [pattern: RegExp, name: string])[]) =>
    names.find(([pattern]) => pattern.test(text))?.[1]
  const browser = find(browsers)
  const system = find(systems)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? null
}

/** In an order in which the first that fits is right: most browsers name others as well. */
const browsers = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?Chrom(e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
] as const
