/**
 * The `handle` of a route whose page works as plain markup: nothing of the framework is loaded before somebody begins
 * to use it. What such a page does in the browser by itself, without having been touched, does not happen.
 */
export type PlainHandle = {
  isPlain: true
  /** It is made alive all the same, once it stands there whole and the browser has nothing else to do. */
  comesAlive?: true
}
