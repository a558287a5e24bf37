import { useQuery } from '@tanstack/react-query'
import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { suspensionQuery } from '#web/features/practitioners/dashboard/dashboard-queries.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ContactLink } from '#web/ui/ContactLink.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'

export const meta = () => [{ title: pageTitle('Leaving Hearth') }]

export const clientLoader = () => null

/** How a practitioner's account is closed. Clients' sessions and money hang on it, so people do it. */
export default function TherapistAccountLeave() {
  const query = useQuery(suspensionQuery())
  const { data, error } = query
  const state = data?.data?.state
  return (
    <AccountPart
      title="Leaving Hearth"
      lead={
        state === 'closed'
          ? 'Your profile is closed. Clients can no longer find, book or message you, and nothing more is charged.'
          : 'You can stop at any time. We close your account by hand, because your clients’ sessions and your money depend on it.'
      }
    >
      {!data ? (
        error ? (
          <QueryError level={2} title="This page did not load" query={query} />
        ) : (
          <Loading label="Loading how your account is closed" skeleton="h-56 rounded-xl" />
        )
      ) : state === 'closed' ? (
        <p>
          We pay out what is still yours, and delete your profile and your documents within a month of the
          closing. If you would like a copy of your data, write to <ContactLink /> from your account’s address
          before that.
        </p>
      ) : (
        <Steps isSuspended={state === 'suspended'} />
      )}
      <p className="mt-6 text-soft">
        What stays are the records of payments, which the law makes us keep, your name and email, and sessions
        on your clients’ own lists, with what they were and where.
        {data &&
          !state &&
          ' If you would only like a break, cancel the subscription and leave the rest: everything waits for you as it is.'}
      </p>
    </AccountPart>
  )
}

function Steps({ isSuspended }: { isSuspended: boolean }) {
  return (
    <ol className="flex list-decimal flex-col gap-4 ps-6 marker:font-semibold marker:text-soft">
      <li>
        <TextLink to="/therapist/subscription">Cancel your subscription</TextLink>.{' '}
        {isSuspended
          ? 'Nothing more is charged.'
          : 'Clients can find you until the end of the month you have paid for, and nothing more is charged.'}
      </li>
      {!isSuspended && (
        <li>
          Hold the sessions that are booked, or cancel them on{' '}
          <TextLink to="/therapist/dashboard">your dashboard</TextLink>. A client whose session you cancel is
          told, and gets everything back.
        </li>
      )}
      <li>
        Write to <ContactLink /> from your account’s address. We pay out what is still yours, send you a copy
        of your data if you ask for one, and delete your profile and your documents within a month.
      </li>
      {isSuspended && (
        <li>
          Sessions that wait for our decision are cancelled when we close your profile. Their clients are
          told, and get everything back.
        </li>
      )}
    </ol>
  )
}
