import type { Role } from '#contract/endpoint.ts'
import { writeMail } from '../../integrations/mail/layout.ts'
import { greeting } from '../../integrations/mail/names.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import { confirmHint } from '../../integrations/mail/unconfirmed.ts'
import { signInUrl } from '../../integrations/mail/format.ts'

/** Whom a mail goes to. To an address that is not confirmed no name is sent, and how to confirm it is. */
export type Addressee = { email: string; firstName: string; role: Role; isConfirmed: boolean }

const greetingOf = ({ isConfirmed, firstName }: Addressee) => (isConfirmed ? greeting(firstName) : 'Hello,')

/** The link for a new password. Following it confirms the address. */
export function passwordMail(to: Addressee, url: string): Mail {
  return writeMail({
    to: to.email,
    subject: 'Choose a new password',
    greeting: greetingOf(to),
    paragraphs: [
      'Someone, most likely you, asked for a new password for Hearth. The link works once, for one hour.',
      'If it was not you, you can ignore this email: your password has not changed.',
      ...(to.isConfirmed
        ? []
        : [
            'This address is not confirmed yet, so we leave the details out of our emails. Choosing a new password with this link confirms it.',
          ]),
    ],
    link: { text: 'Choose a new password', url },
    reason: 'You are getting this email because a new password was asked for with this address.',
  })
}

/**
 * The first mail of an account. It carries the link that confirms the address, so that one mail does for both;
 * `confirmUrl` is null where the address is known to be theirs already.
 */
export function welcomeMail(
  account: { email: string; firstName: string; role: Role },
  { confirmUrl, siteUrl }: { confirmUrl: string | null; siteUrl: string },
): Mail {
  const { next, links } = account.role === 'therapist' ? forTherapists(siteUrl) : forClients(siteUrl)
  const [first] = links
  return writeMail({
    to: account.email,
    subject: 'Welcome to Hearth',
    greeting: greeting(account.firstName),
    paragraphs: [
      `Your account is ready. ${next}`,
      ...(confirmUrl
        ? [
            'First, please confirm that this address is yours: open the link and log in, if you are not already logged in. Until then our emails say nothing about your sessions.',
          ]
        : []),
    ],
    ...(confirmUrl
      ? { link: { text: 'Confirm this address', url: confirmUrl }, links }
      : { ...(first ? { link: first } : {}), links: links.slice(1) }),
    closing: [
      ...(account.role === 'client'
        ? [
            'Hearth is not for emergencies. If someone is in danger, call 999. The Samaritans listen at any hour on 116\u00a0123.',
          ]
        : []),
      ...(confirmUrl ? ['If you did not sign up for Hearth, you can ignore this email.'] : []),
    ],
    reason: 'You are getting this email because someone signed up for Hearth with this address.',
  })
}

/** The link that confirms the address, asked for again. */
export function confirmationMail(to: string, firstName: string, url: string): Mail {
  return writeMail({
    to,
    subject: 'Confirm your email address',
    greeting: greeting(firstName),
    paragraphs: [
      'Here is the link that confirms this address for your Hearth account. Open it, and log in if you are not already logged in. From then on our emails say when your sessions are and who they are with.',
      'The link works once, for seven days, and replaces those that we sent before.',
    ],
    link: { text: 'Confirm this address', url },
    closing: ['If you did not sign up for Hearth, you can ignore this email.'],
    reason:
      'You are getting this email because the link was asked for in a Hearth account with this address.',
  })
}

/** The link that makes another address the account's, to that address. */
export function changeEmailMail(to: string, firstName: string, url: string): Mail {
  return writeMail({
    to,
    subject: 'Confirm your new email address',
    greeting: greeting(firstName),
    paragraphs: [
      'You asked us to use this address for your Hearth account. To confirm it, open the link, and log in as before if you are not already logged in. The link works once, for 24 hours.',
      'If you did not ask for this, you can ignore this email: nothing changes.',
    ],
    link: { text: 'Use this address', url },
    reason: 'You are getting this email because someone with a Hearth account gave this address as theirs.',
  })
}

/** Goes to a requested new address that belongs to another account already. */
export function emailTakenMail(to: string, signInUrl: string, forgotUrl: string): Mail {
  return writeMail({
    to,
    subject: 'This address already has a Hearth account',
    greeting: 'Hello,',
    paragraphs: [
      'Someone, most likely you, asked to use this address for a Hearth account. Another account already uses it, so nothing was changed.',
      'If both are yours, log in to the one with this address, or choose a new password for it. If it was not you, you can ignore this email.',
    ],
    link: { text: 'Log in', url: signInUrl },
    links: [{ text: 'Choose a new password', url: forgotUrl }],
    reason: 'You are getting this email because someone with a Hearth account gave this address as theirs.',
  })
}

/** To the present address, when another one was asked for. */
export function changeAskedMail(to: string, firstName: string, forgotUrl: string): Mail {
  return writeMail({
    to,
    subject: 'A new email address was asked for',
    greeting: greeting(firstName),
    paragraphs: [
      'Someone who knows your password asked us to use another email address for your account. We sent a link there; nothing changes until it is opened.',
      'If it was you, you do not have to do anything here. If it was not, choose a new password now: that stops the change and signs every device out.',
    ],
    link: { text: 'Choose a new password', url: forgotUrl },
    reason: 'You are getting this email because this is the address of your Hearth account.',
  })
}

/** To the old address, once there is a new one. `wasJoined`: one could log in with a provider's account of the old address. */
export function emailChangedMail(
  to: string,
  firstName: string,
  siteUrl: string,
  wasJoined: boolean | undefined,
): Mail {
  return writeMail({
    to,
    subject: 'Your email address was changed',
    greeting: greeting(firstName),
    paragraphs: [
      'Your Hearth account now has another email address. Log in with that one from now on; we send nothing more to this one.',
      'Calendar entries that we sent to this address are no longer updated when a session is moved or cancelled: please remove them from your calendar.',
      ...(wasJoined
        ? ['A Google account, or one like it, with this address no longer opens your Hearth account.']
        : []),
      'If this was not you, tell us straight away by replying to this email.',
    ],
    link: { text: 'Open Hearth', url: siteUrl },
    reason: 'You are getting this email because this was the address of your Hearth account.',
  })
}

/** Notifies the holder of an account that its password was changed. */
export function passwordChangedMail(to: Addressee, forgotUrl: string, publicUrl: string): Mail {
  const hint = to.isConfirmed || to.role === 'admin' ? undefined : confirmHint(to.role, publicUrl)
  return writeMail({
    to: to.email,
    subject: 'Your password was changed',
    greeting: greetingOf(to),
    paragraphs: [
      'The password of your Hearth account was changed just now, and every other device was signed out.',
      'If it was you, you do not have to do anything. If it was not, choose a new password now.',
    ],
    link: { text: 'Choose a new password', url: forgotUrl },
    ...(hint && { links: [hint.link], closing: [hint.words] }),
    reason: 'You are getting this email because this is the address of your Hearth account.',
  })
}

/** To an admin whose authenticator app another one has replaced. */
export function secondFactorReplacedMail(to: Addressee, forgotUrl: string): Mail {
  return writeMail({
    to: to.email,
    subject: 'Your authenticator app was replaced',
    greeting: greetingOf(to),
    paragraphs: [
      'The authenticator app of your Hearth account was replaced just now. Your former recovery codes are no longer good, and every other device was signed out.',
      'If it was you, you do not have to do anything. If it was not, choose a new password now and tell another admin: your account may be in use by another person.',
    ],
    link: { text: 'Choose a new password', url: forgotUrl },
    reason: 'You are getting this email because this is the address of your Hearth account.',
  })
}

/** The last mail of an account. */
export function accountDeletedMail(to: string, firstName: string, siteUrl: string): Mail {
  return writeMail({
    to,
    subject: 'Your account is deleted',
    greeting: greeting(firstName),
    paragraphs: [
      'Your Hearth account and what we knew about you are deleted, as you asked. What the law requires us to keep about payments is kept without your name; our privacy policy lists it.',
      'This is our last email to you. If this was not you, tell us straight away by replying to it. You are welcome back at any time.',
    ],
    link: { text: 'Read what is kept', url: `${siteUrl}/privacy-policy` },
    reason: 'You are getting this email because this was the address of your Hearth account.',
  })
}

const forClients = (siteUrl: string) => ({
  next: 'You can look for someone to talk to, read profiles and book a time that suits you.',
  links: [
    { text: 'Find a Therapist or Psychiatrist', url: `${siteUrl}/find-therapist` },
    { text: 'How it works, in questions and answers', url: `${siteUrl}/frequently-asked-questions` },
  ],
})

const forTherapists = (siteUrl: string) => ({
  next: 'Next come your profile, your services and your weekly hours; you can stop and carry on at any point.',
  links: [
    {
      text: 'Carry on with your profile',
      url: signInUrl(siteUrl, 'therapist', '/therapist/easy-steps'),
    },
  ],
})
