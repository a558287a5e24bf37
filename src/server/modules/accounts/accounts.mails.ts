import type { Role } from '#contract/endpoint.ts'
import { writeMail } from '../../integrations/mail/layout.ts'
import { greeting } from '../../integrations/mail/names.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import { confirmHint } from '../../integrations/mail/unconfirmed.ts'

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
      'Somebody, most likely you, asked for a new password for Hearth. The link works once, for one hour.',
      'If it was not you, you need not do anything: your password stays as it is.',
      ...(to.isConfirmed
        ? []
        : [
            'This address is not confirmed yet, so we leave the details out of our mails to it. Choosing a new password by this link confirms it.',
          ]),
    ],
    link: { text: 'Choose a new password', url },
    reason: 'You get this mail because a new password was asked for with this address.',
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
            'Please confirm first that this address is yours: open the link and log in, if you are not logged in there already. Until then our mails to it say nothing about your sessions.',
          ]
        : []),
    ],
    ...(confirmUrl
      ? { link: { text: 'Confirm this address', url: confirmUrl }, links }
      : { ...(first ? { link: first } : {}), links: links.slice(1) }),
    closing: [
      ...(account.role === 'client'
        ? [
            'Hearth is not for emergencies. If somebody is in danger, call 999. The Samaritans listen at any hour on 116\u00a0123.',
          ]
        : []),
      ...(confirmUrl ? ['If you did not sign up for Hearth, you need not do anything.'] : []),
    ],
    reason: 'You get this mail because somebody signed up for Hearth with this address.',
  })
}

/** The link that confirms the address, asked for again. */
export function confirmationMail(to: string, firstName: string, url: string): Mail {
  return writeMail({
    to,
    subject: 'Confirm your email address',
    greeting: greeting(firstName),
    paragraphs: [
      'Here is the link that confirms this address for your Hearth account. Open it, and log in if you are not logged in there already. From then on our mails to it say when your sessions are and with whom.',
      'The link works once, for seven days, and replaces those that we sent before.',
    ],
    link: { text: 'Confirm this address', url },
    closing: ['If you did not sign up for Hearth, you need not do anything.'],
    reason: 'You get this mail because the link was asked for in a Hearth account with this address.',
  })
}

/** The link that makes another address the account's, to that address. */
export function changeEmailMail(to: string, firstName: string, url: string): Mail {
  return writeMail({
    to,
    subject: 'Confirm your new email address',
    greeting: greeting(firstName),
    paragraphs: [
      'You asked us to use this address for your Hearth account. To confirm it, open the link, and log in as you always have if you are not logged in there already. The link works once, for 24 hours.',
      'If you did not ask for this, you need not do anything: nothing changes.',
    ],
    link: { text: 'Use this address', url },
    reason: 'You get this mail because somebody with a Hearth account gave this address as theirs.',
  })
}

/** Goes to a requested new address that belongs to another account already. */
export function emailTakenMail(to: string, signInUrl: string, forgotUrl: string): Mail {
  return writeMail({
    to,
    subject: 'This address has a Hearth account already',
    greeting: 'Hello,',
    paragraphs: [
      'Somebody, most likely you, asked to use this address for a Hearth account. There is another account with it already, so nothing was changed.',
      'If both are yours, log in to the one with this address, or choose a new password for it. If it was not you, you need not do anything.',
    ],
    link: { text: 'Log in', url: signInUrl },
    links: [{ text: 'Choose a new password', url: forgotUrl }],
    reason: 'You get this mail because somebody with a Hearth account gave this address as theirs.',
  })
}

/** To the present address, when another one was asked for. */
export function changeAskedMail(to: string, firstName: string, forgotUrl: string): Mail {
  return writeMail({
    to,
    subject: 'Another email address was asked for',
    greeting: greeting(firstName),
    paragraphs: [
      'Somebody who knows your password asked us to use another email address for your account. We sent a link there; until it is opened, nothing changes.',
      'If it was you, you need not do anything here. If it was not, choose a new password now: that stops the change and signs everybody out.',
    ],
    link: { text: 'Choose a new password', url: forgotUrl },
    reason: 'You get this mail because this is the address of your Hearth account.',
  })
}

/** To the old address, once there is a new one. */
export function emailChangedMail(to: string, firstName: string, siteUrl: string): Mail {
  return writeMail({
    to,
    subject: 'Your email address was changed',
    greeting: greeting(firstName),
    paragraphs: [
      'Your Hearth account now has another email address. Log in with that one from now on; we send nothing more to this one.',
      'If this was not you, write to us at once by answering this mail.',
    ],
    link: { text: 'Open Hearth', url: siteUrl },
    reason: 'You get this mail because this was the address of your Hearth account.',
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
      'If it was you, you need not do anything. If it was not, choose a new password now.',
    ],
    link: { text: 'Choose a new password', url: forgotUrl },
    ...(hint && { links: [hint.link], closing: [hint.words] }),
    reason: 'You get this mail because this is the address of your Hearth account.',
  })
}

/** The last mail of an account. */
export function accountDeletedMail(to: string, firstName: string, siteUrl: string): Mail {
  return writeMail({
    to,
    subject: 'Your account is deleted',
    greeting: greeting(firstName),
    paragraphs: [
      'Your Hearth account and what we knew about you are deleted, as you asked. What the law makes us keep about payments is kept without your name; our privacy policy lists it.',
      'This is our last mail to you. If this was not you, write to us at once by answering it. You are welcome back at any time.',
    ],
    link: { text: 'Read what is kept', url: `${siteUrl}/privacy-policy` },
    reason: 'You get this mail because this was the address of your Hearth account.',
  })
}

const forClients = (siteUrl: string) => ({
  next: 'You can look for somebody to talk to, read their profiles and book a time that suits you.',
  links: [
    { text: 'Find a Therapist or Psychiatrist', url: `${siteUrl}/find-therapist` },
    { text: 'How it works, in questions and answers', url: `${siteUrl}/frequently-asked-questions` },
  ],
})

const forTherapists = (siteUrl: string) => ({
  next: 'Next come your profile, your services and your weekly hours; you can stop and go on at any point.',
  links: [
    {
      text: 'Go on with your profile',
      url: `${siteUrl}/therapist/sign-in?return_to=${encodeURIComponent('/therapist/easy-steps')}`,
    },
  ],
})
