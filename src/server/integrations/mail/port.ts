/** A mail, ready to send. */
export type Mail = { to: string; subject: string; text: string; html: string }

/** Hands a mail over for delivery. Throws when it could not be handed over; the queue then tries again. */
export type Mailer = { send(mail: Mail): Promise<void> }
