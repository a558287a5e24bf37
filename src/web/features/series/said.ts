/** What was done just now, in words, above a list of series. */
export type Said = { title: string; text: string }
