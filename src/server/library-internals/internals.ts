/**
 * Where the product uses private parts of libraries, which any release of theirs may change. `WITHOUT_INTERNALS` names
 * those that are done by the public interface instead, at the price that stands here.
 */
export const internals = [
  /** Frequent statements cost more of both processors (`prepared-call.ts`). */
  'prepared-calls',
  /** The embedded database takes twice as long for what it does (`embedded-statements.ts`). */
  'embedded-statements',
  /** A silent database is noticed after a statement's limit of 16 s rather than within 4 s (`connection-watch.ts`). */
  'connection-watch',
  /** A message of the chat takes a quarter more of the processor when many come (`gathered-packets.ts`). */
  'gathered-packets',
  /** Collecting garbage holds the event loop up ten times as long (`young-objects.ts`). */
  'young-objects',
  /** Plain pages load the framework at once (`src/web/library-internals`). */
  'page-scripts',
  /**
   * A part of a page that did not come never comes in browsers that keep failed modules, and a page whose script does not
   * come has the one before it loaded again. Read by the build.
   */
  'module-loading',
] as const

export type Internal = (typeof internals)[number]
