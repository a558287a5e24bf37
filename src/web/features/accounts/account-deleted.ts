import { keepTabText, readTabText } from '#web/lib/tab-texts.ts'

const name = 'account-deleted'

/** Remembers in this tab that its account was deleted, for the page that says so. */
export const noteAccountDeleted = () => keepTabText(name, 'yes')

export const isAccountDeleted = () => readTabText(name) !== null
