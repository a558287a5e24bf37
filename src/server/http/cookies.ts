/** The value of a cookie in a `Cookie` header (RFC 6265, 4.2.1); undefined where it is missing or not of that form. */
export function readCookie(header: string | undefined, name: string, form: RegExp): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key = '', value] = pair.split('=', 2)
    if (key.trim() !== name) continue
    const trimmed = value?.trim() ?? ''
    if (form.test(trimmed)) return trimmed
  }
  return undefined
}
