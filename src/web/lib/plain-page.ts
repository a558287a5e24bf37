/**
 * The `handle` of a route whose page works as plain markup: the framework loads only once the reader begins to use the
 * page. Effects that should run without a touch do not run on such a page.
 */
export type PlainHandle = {
  isPlain: true
  /** It is made alive all the same, once it stands there whole and the browser has nothing else to do. */
  comesAlive?: true
}
