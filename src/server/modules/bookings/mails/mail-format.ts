// Formats words and amounts in mails about sessions.

/** With its first letter large. */
export const capitalised = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

/** £60.00. */
export const pounds = (pence: number) => `£${(pence / 100).toFixed(2)}`

/** Where a client pays for a session that could not be charged. */
export const payPath = (appointmentId: string) => `/pay?appointment=${appointmentId}`

/** The page of a session, for its client and its practitioner alike. */
export const sessionPath = (appointmentId: string) => `/session?appointment=${appointmentId}`
