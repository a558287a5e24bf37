import { keepTabText, readTabText } from '#web/lib/tab-texts.ts'

const name = 'account-deleted'

/** Remembers in this tab that its account was deleted, for the page that says so. */
export const noteAccountDeleted = () => keepTabText(name, 'yes')

export const isAccountDeleted = () => readTabText(name) !== null

const askedName = 'account-deletion-asked'
/** Milliseconds. */
const rememberedFor = 3_600_000

/** Remembers in this tab that a deletion was asked for whose answer has not come. */
export const keepDeletionAsked = (isAsked: boolean) =>
  keepTabText(askedName, isAsked ? String(Date.now()) : undefined)

export const isDeletionAsked = () => Date.now() - Number(readTabText(askedName)) < rememberedFor
