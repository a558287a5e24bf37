import { type RawBuilder, sql } from 'kysely'

const marks = /[\u0300-\u036f'’ʼ‘`]/g

/**
 * Whether one of some texts contains the words, without regard to case, accents and apostrophes: "Sian O'Connor" finds
 * "Siân O’Connor". Each text is read once; no index leads there. True for no words.
 * @param texts a list of expressions, such as `a.first_name, a.last_name`
 */
export function containing(words: string | undefined, texts: RawBuilder<unknown>): RawBuilder<boolean> {
  const folded = (words ?? '').normalize('NFKD').replace(marks, '').trim()
  if (folded === '') return sql<boolean>`true`
  const pattern = `%${folded.replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`regexp_replace(normalize(concat_ws(chr(10), ${texts}), NFKD), ${marks.source}, '', 'g') ilike ${pattern}`
}
