/** Where a place is changed. */
export const changeEntryPath = (entryId: string) => `/join-waitlist?entry=${entryId}`
