import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { contactEmail, pageTitle } from '#web/lib/site.ts'
import { TextLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Leaving Hearth') }]

export const clientLoader = () => null

/** How a practitioner's account is closed. Clients' sessions and money hang on it, so people do it. */
export default function TherapistAccountLeave() {
  return (
    <AccountPart
      title="Leaving Hearth"
      lead="You can stop at any time. We close your account by hand, because your clients’ sessions and your money depend on it."
    >
      <ol className="flex list-decimal flex-col gap-4 ps-6 marker:font-semibold marker:text-soft">
        <li>
          <TextLink to="/therapist/subscription">Cancel your subscription</TextLink>. Clients can find you
          until the end of the month you have paid for, and nothing more is charged.
        </li>
        <li>
          Hold the sessions that are booked, or cancel them on{' '}
          <TextLink to="/therapist/dashboard">your dashboard</TextLink>. A client whose session you cancel is
          told, and gets everything back.
        </li>
        <li>
          Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a> from your account’s address. We pay
          out what is still yours, send you a copy of your data if you ask for one, and delete your profile
          and your documents within a month.
        </li>
      </ol>
      <p className="mt-6 text-soft">
        What stays are the records of payments, which the law makes us keep, and sessions on your clients’ own
        lists. If you would only like a break, cancel the subscription and leave the rest: everything waits
        for you as it is.
      </p>
    </AccountPart>
  )
}
