/** How often a page repeats `POST …/room/seat`, in seconds. */
export const heartbeatSeconds = 10

/** Largest `data` of a signal, as JSON in UTF-8. */
export const maxSignalBytes = 16 * 1024
