/**
 * For a process that runs for seconds on the embedded database. V8 would compile what that calls often a second time, for
 * the long run, which takes a third of the processor time of a start.
 */
export const shortRun = ['--liftoff-only']
