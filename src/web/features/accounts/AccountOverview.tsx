import { IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ownWaitlistPath } from '#web/lib/waitlist-path.ts'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { accountPath, useAccountRole } from './account-paths.ts'
import { ownAccountQuery } from './own-profile.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

/** Everything there is about a client's or practitioner's account, each with what it is now and the way to change it. */
export function AccountOverview() {
  const role = useAccountRole()
  const base = accountPath(role, 'account')
  const query = useQuery(ownAccountQuery(role))
  const { data, error } = query
  if (!data) {
    if (!error) return <AccountLoading />
    return <QueryError title="Your account did not load" query={query} />
  }
  return (
    <div className="flex flex-col gap-8">
      <Group title="About you">
        <Entry to={`${base}/name`} label="Name" value={`${data.first_name} ${data.last_name}`.trim()} />
        <Entry
          to={`${base}/email`}
          label="Email"
          value={data.email}
          note={data.email_verified ? undefined : 'Not confirmed yet'}
        />
      </Group>
      <Group title="Notifications">
        <Entry
          to={`${base}/notices`}
          label="Emails and notifications"
          value="Reminders, and messages while you are away"
        />
        {role === 'client' && (
          <Entry to="/account/calendar" label="Calendar link" value="Your sessions in your own calendar" />
        )}
      </Group>
      <Group title="Signing in">
        <Entry to={`${base}/password`} label="Password" value="Choose a new one" />
        <Entry to={`${base}/devices`} label="Signed-in devices" value="See where you are signed in" />
      </Group>
      {role === 'client' ? (
        <>
          <Group title="Waiting">
            <Entry
              to={ownWaitlistPath}
              label="Waitlists"
              value="Where you are waiting, and searches we look out for"
            />
          </Group>
          <Group title="Payments">
            <Entry to="/account/cards" label="Saved cards" value="See or remove them" />
          </Group>
          <Group title="Your data">
            <Entry to="/account/data" label="A copy of your data" value="Download it as a file" />
            <Entry
              to="/account/health"
              label="Data about your health"
              value="What you agreed to, and how to end it"
            />
            <Entry to="/account/delete" label="Delete your account" value="Permanently, in a few steps" />
          </Group>
        </>
      ) : (
        <>
          <Group title="Your practice">
            <Entry to="/therapist/profile-view" label="Profile" value="As clients see it" />
            <Entry
              to="/therapist/subscription"
              label="Money"
              value="Subscription, invoices and your balance"
            />
          </Group>
          <Group title="Your data">
            <Entry to="/therapist/account/leave" label="Leaving Hearth" value="How your account is closed" />
          </Group>
        </>
      )}
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-3 text-xl">{title}</h2>
      <ul className="overflow-hidden rounded-xl border border-line bg-surface shadow-low">{children}</ul>
    </section>
  )
}

function Entry({ to, label, value, note }: { to: string; label: string; value: string; note?: string }) {
  return (
    <li className="border-line not-first:border-t">
      <Link
        to={to}
        prefetch="intent"
        className="flex min-h-16 items-center gap-4 px-5 py-3 no-underline -outline-offset-2 transition-colors hover:bg-sunken sm:px-6"
      >
        <span className="min-w-0 grow sm:grid sm:grid-cols-[12rem_1fr] sm:gap-4">
          <span className="block font-semibold">{label}</span>
          <span className="block min-w-0 text-soft wrap-anywhere">
            {value}
            {note && <span className="block text-sm text-warning">{note}</span>}
          </span>
        </span>
        <IconChevronRight aria-hidden size={22} className="shrink-0 text-faint" />
      </Link>
    </li>
  )
}

export function AccountLoading() {
  return (
    <Loading label="Loading your account" className="flex flex-col gap-8">
      {['h-32', 'h-32 ', 'h-16', 'h-32  '].map((height) => (
        <span key={height} className="block">
          <Skeleton className="mb-3 h-7 w-32" />
          <Skeleton className={`${height} rounded-xl`} />
        </span>
      ))}
    </Loading>
  )
}
