import { newIdempotencyKey } from './api.ts'

/** Idempotency keys of one button: a key per intended act. */
export type IntentKeys = {
  /** The key of this act. The same act keeps its key, so that a retry after a lost answer is not carried out twice. */
  of(act: unknown): string
  /** The act came to its end; wanting the same again is another act. */
  done(): void
}

/** Made once per component: `useState(intentKeys)`. */
export function intentKeys(): IntentKeys {
  let kept: { act: string; key: string } | undefined
  return {
    of(act) {
      const text = JSON.stringify(act)
      if (kept?.act !== text) kept = { act: text, key: newIdempotencyKey() }
      return kept.key
    },
    done() {
      kept = undefined
    },
  }
}
