/** A pattern of `like` for texts that contain the words. `'%%'`, which matches every text, for none. */
export function containing(words: string | undefined): string {
  return `%${(words ?? '').trim().replace(/[\\%_]/g, '\\$&')}%`
}
