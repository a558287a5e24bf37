import { days, minutes } from '../../clock.ts'

export type MailOutcome = 'sent' | 'dropped' | 'refused'

/** Longer than a mail server takes to reply. A claim that is older belongs to a process that ended while sending. */
export const claimLasts = minutes(3)

/**
 * Settled mails are deleted after this time, and mails that could not be sent this long after they were created. Until
 * then a repeated change finds them and sends no second mail.
 */
export const keptFor = days(365)

/** Whether a mail is being sent. */
export const isClaimed = (
  { outcome, claimed_until }: { outcome: MailOutcome | null; claimed_until: Date | null },
  now: Date,
): boolean => outcome === null && claimed_until !== null && claimed_until > now
