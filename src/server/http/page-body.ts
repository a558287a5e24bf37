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

const attribute = ` nonce="${scriptMark}"`
const markedScripts = new RegExp(`<script(?=[^>]*${attribute})[^>]*>(.*?)</script>`, 'gs')

/** @param text rendered with the mark */
export function createPageBody(text: string): PageBody {
  const scripts = [...text.matchAll(markedScripts)].map(([, script = '']) => sourceOf(script))
  const plain = Buffer.from(text.replaceAll(attribute, ''))
  let compressed: Buffer | undefined
  return {
    plain,
    gzip: () => (compressed ??= gzipSync(plain)),
    bytes: plain.length * 1.5,
    scripts: [...new Set(scripts)],
  }
}

/** How a policy names an inline script or style by its content. */
export function sourceOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
