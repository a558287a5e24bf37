const { NODE_COMPILE_CACHE } = process.env

/** For the environment of a process that does not inherit this one's: Node keeps compiled sources where a whole run says. */
export const compileCache: Record<string, string> = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}
