import { createHash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/**
 * Marks the product's own inline scripts while it renders. The mark is never sent, so user text on a page cannot contain
 * it: the policy does not allow a script that came into the page by another way.
 */
export const scriptMark = randomBytes(16).toString('base64url')

/** A rendered page, the same for every reader. */
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
/** Of the icons. HTML needs no name of a namespace; text on a page never has these quotes as they are. */
const namespace = Buffer.from(' xmlns="http://www.w3.org/2000/svg"')
const script = Buffer.from('<script')

/**
 * @param rendered UTF-8 of a document, with the mark
 * @param keepsNamespaces in development, where React compares the attributes of the page with its own
 */
export function createPageBody(rendered: Buffer, { keepsNamespaces = false } = {}): PageBody {
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
  const unmarked = Buffer.concat([...parts, rendered.subarray(rest)])
  const plain = keepsNamespaces ? unmarked : without(unmarked, namespace)
  let compressed: Buffer | undefined
  return {
    plain,
    gzip: () => (compressed ??= gzipSync(plain)),
    bytes: plain.length * 1.5,
    scripts: [...scripts],
  }
}

function without(bytes: Buffer, left: Buffer): Buffer {
  const parts: Buffer[] = []
  let rest = 0
  for (let at = bytes.indexOf(left); at >= 0; at = bytes.indexOf(left, rest)) {
    parts.push(bytes.subarray(rest, at))
    rest = at + left.length
  }
  return rest === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(rest)])
}

/** How a policy names an inline script or style by its content. */
export function sourceOf(content: string | Buffer): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
