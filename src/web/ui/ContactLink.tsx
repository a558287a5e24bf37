import { useSiteFacts } from '../lib/site-facts.ts'

/** Where people write to us, as a link to a mail about a subject. */
export function ContactLink({ subject, className }: { subject?: string; className?: string }) {
  const email = useSiteFacts()?.contactEmail ?? ''
  const query = subject === undefined ? '' : `?subject=${encodeURIComponent(subject)}`
  return (
    <a href={`mailto:${email}${query}`} className={className}>
      {email}
    </a>
  )
}
