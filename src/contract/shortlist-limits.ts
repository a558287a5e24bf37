// Apart from the schemas, so that the web does not load zod with them.

/** How many practitioners a visitor's browser keeps. */
export const shortlistedByVisitor = 20
/** How many practitioners an account keeps, and a call names at once. */
export const shortlistedByClient = 50
/** How many practitioners are compared at once. */
export const comparedAtMost = 3
