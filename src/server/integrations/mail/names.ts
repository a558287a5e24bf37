import { clientName } from '#contract/client-name.ts'

/** How long a name in a mail may be, in UTF-16 code units, marks included. */
const maxNameLength = 40

/**
 * Returns a self-typed name as a mail may repeat it, or undefined if it does not look like a name. A stranger can
 * register with another person's address, so a name must not carry a link, an advertisement or a second line. Only
 * letters with their marks, single spaces, hyphens and apostrophes pass. Invisible and direction-changing characters are
 * removed.
 */
export function nameForMail(typed: string): string | undefined {
  const name = typed
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    // Initials and titles: 'J. R.' and 'Dr. Bell'. A dot before a letter would make an address of it.
    .replace(/\.(?=\s|$)/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
  if (name.length > maxNameLength) return undefined
  return /^\p{L}\p{M}{0,3}(?:[\p{L}'’ ‐-]\p{M}{0,3})*$/u.test(name) ? name : undefined
}

/** 'Hello Alex,' or, for what does not look like a name, 'Hello,'. */
export function greeting(typed: string): string {
  const name = nameForMail(typed)
  return name === undefined ? 'Hello,' : `Hello ${name},`
}

/** First and last name as a mail may repeat them, or the words given if neither looks like a name. */
export function fullNameForMail(firstName: string, lastName: string, otherwise: string): string {
  const names = [nameForMail(firstName), nameForMail(lastName)].filter((name) => name !== undefined)
  return nameForMail(names.join(' ')) ?? names[0] ?? otherwise
}

/**
 * A client as mails to practitioners name them, `Alex M.`, or undefined if the first name does not look like one. Mails
 * stay in inboxes for long, and an initial tells clients apart.
 */
export function clientNameForMail(client: { firstName: string; lastName: string }): string | undefined {
  const firstName = nameForMail(client.firstName)
  return firstName && clientName({ firstName, lastName: nameForMail(client.lastName) ?? '' })
}
