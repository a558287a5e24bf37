import { createHash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/**
 * What the product marks its own inline scripts with while it renders. Never sent, so nobody can write it into a text
 * that is shown on a page: a script that got there by another way is not among those that the policy allows.
 */
export const scriptMark = randomBytes(16).toString('base64url')

/** A rendered page as it goes to everybody. */
export type PageBody = {
  plain: Buffer
  /** Compressed once, however often it is sent. */
  gzip(): Buffer
  /** What it takes of memory, with its compressed form. */
  bytes: number
  /** The inline scripts that it may run, as a content security policy names them. */
  scripts: readonly string[]
}

const attribute = Buffer.from(` nonce="${scriptMark}"`)
const script = Buffer.from('<script')

/** @param rendered UTF-8 of a document, with the mark */
export function createPageBody(rendered: Buffer): PageBody {
  const parts: Buffer[] = []
  const scripts = new Set<string>()
  let rest = 0
  for (let at = rendered.indexOf(attribute); at >= 0; at = rendered.indexOf(attribute, rest)) {
    parts.push(rendered.subarray(rest, at))
    rest = at + attribute.length
    // Neither bracket stands in an attribute as it is: React writes entities there.
    const tag = rendered.lastIndexOf('<', at)
    if (!rendered.subarray(tag, tag + script.length).equals(script)) continue
    const content = rendered.indexOf('>', rest) + 1
    scripts.add(sourceOf(rendered.subarray(content, rendered.indexOf('</script>', content))))
  }
  const plain = Buffer.concat([...parts, rendered.subarray(rest)])
  let compressed: Buffer | undefined
  return {
    plain,
    gzip: () => (compressed ??= gzipSync(plain)),
    bytes: plain.length * 1.5,
    scripts: [...scripts],
  }
}

/** How a policy names an inline script or style by its content. */
export function sourceOf(content: string | Buffer): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
