// Apart from the schemas, so that the web does not load zod with them.

/** On how many waitlists a client is at a time. */
export const waitlistsPerClient = 10
/** How many windows of time an entry has. */
export const windowsPerEntry = 14
/** How many search wishes a client has at a time. */
export const searchWishesPerClient = 3
