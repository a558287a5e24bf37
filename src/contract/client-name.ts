/** The name of a client whose account was deleted. */
const formerClient = 'Former client'

/**
 * A client as practitioners see them on every screen and in every mail: first name and initial, `Alex M.`. Enough to tell
 * clients apart, and no more than has to lie in inboxes and calendars.
 */
export function clientName(name: { firstName: string; lastName: string } | undefined): string {
  const first = name?.firstName.trim() ?? ''
  if (first === '') return formerClient
  const [initial] = name?.lastName.trim() ?? ''
  return initial ? `${first} ${initial.toLocaleUpperCase('en-GB')}.` : first
}

/** The same of a full name, whose first word is the first name. */
export function clientNameOf(fullName: string): string {
  const [firstName = '', ...rest] = fullName.trim().split(/\s+/)
  return clientName({ firstName, lastName: rest.join(' ') })
}
