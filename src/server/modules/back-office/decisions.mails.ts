import type { AskedDecision } from '../../events.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import { mailToAdmin } from '../../integrations/mail/recipients.ts'

const what: Record<AskedDecision, { subject: string; words: string; link: { text: string; path: string } }> =
  {
    profile: {
      subject: 'A profile was submitted',
      words: 'A practitioner has completed their profile and asks to be listed.',
      link: { text: 'Look at the queue', path: '/admin' },
    },
    fact: {
      subject: 'A new document was sent',
      words: 'A practitioner who was approved has sent a new document or licence, which has to be checked.',
      link: { text: 'Look at the queue', path: '/admin' },
    },
    no_show: {
      subject: 'A no-show is disputed',
      words:
        'A client says that a session which counts as missed was not. Its fee is withheld until you decide.',
      link: { text: 'See the dispute', path: '/admin/no-shows' },
    },
    conversation: {
      subject: 'A conversation was reported',
      words:
        'A client or a practitioner has reported the other. Please look at it soon: it may be about a person’s safety.',
      link: { text: 'See the report', path: '/admin/reports' },
    },
    review: {
      subject: 'A review was reported',
      words: 'A review or a reply to one was reported. It stays where it is until you decide.',
      link: { text: 'See the report', path: '/admin/reports' },
    },
  }

/** To the back office: a person asks for a decision. */
export function decisionMail(to: string, of: AskedDecision, publicUrl: string): Mail {
  const { subject, words, link } = what[of]
  return mailToAdmin({ to, publicUrl, subject, paragraphs: [words], link })
}
