/*
 * Browser and server load this file, so it knows no zod.
 */

/** The bounds of every day on the wire, both included. */
export const earliestDay = '1900-01-01'
export const latestDay = '2199-12-31'
