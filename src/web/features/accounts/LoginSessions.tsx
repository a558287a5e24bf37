import { IconDevices } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { LoginSession } from '#contract/accounts/account-settings.ts'
import { serverNow } from '#web/lib/clock.ts'
import { focusLate } from '#web/lib/focus-late.ts'
import { endSession } from '#web/lib/session.ts'
import { announceSignOut } from '#web/lib/tabs.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { useAccountRole } from './account-paths.ts'
import { loginSessionsQuery } from './own-profile.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

/** Where the account is signed in; each can be ended, and all at once. */
export function LoginSessions({ onSignedOut }: { onSignedOut(): void }) {
  const role = useAccountRole()
  const client = useQueryClient()
  const query = useQuery(loginSessionsQuery(role))
  const { data, error } = query
  const [isLeaving, setLeaving] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const end = useAction(`DELETE /${role}/login-sessions/{id}`, {
    onDone(_, { params }) {
      const { queryKey } = loginSessionsQuery(role)
      const ended = client.getQueryData(queryKey)?.find(({ id }) => id === params.id)
      client.setQueryData(queryKey, (known) => known?.filter((session) => session !== ended))
      if (ended) showToast(`${nameOf(ended)} is signed out.`)
      // The button that was pressed is gone with its device.
      focusLate(list.current)
    },
  })

  const ending = end.isPending ? end.input?.[0].params.id : undefined

  if (!data) {
    if (!error) return <LoginSessionsLoading />
    return <QueryError title="Your devices did not load" query={query} />
  }

  return (
    <div className="flex flex-col gap-6">
      <ErrorAlert title="That device is still signed in" error={end.error} />
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Signed-in devices"
        className="flex flex-col gap-3 outline-none"
      >
        {data.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-line bg-surface p-4 shadow-low sm:p-5"
          >
            <IconDevices aria-hidden size={28} className="shrink-0 text-action" />
            <span className="min-w-[min(11rem,100%)] grow basis-0">
              <span className="block font-semibold">{nameOf(session)}</span>
              <span className="block text-sm text-soft">Since {when(session.began_at)}</span>
              {session.stays_signed_in && <span className="block text-sm text-soft">Stays signed in</span>}
              {!session.current && (
                <span className="block text-sm text-soft">Last used {when(session.last_used_at)}</span>
              )}
            </span>
            {session.current ? (
              <span className="rounded-full border border-transparent bg-action-soft px-3 py-0.5 text-xs text-on-action-soft">
                This device
              </span>
            ) : (
              <Button
                variant="secondary"
                size="small"
                aria-label={`Sign out ${nameOf(session)}, last used ${when(session.last_used_at)}`}
                isPending={ending === session.id}
                isDisabled={ending !== undefined && ending !== session.id}
                pendingLabel="Signing out"
                onPress={() => end.start({ params: { id: session.id } })}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p className="text-sm text-soft">
        Times are accurate to about 15 minutes. If you see a device that is not yours, sign out everywhere and
        choose a new password. A calendar that reads your sessions goes on without signing in: check{' '}
        <TextLink to={role === 'client' ? '/account/calendar' : '/therapist/calendar'}>
          your calendar {role === 'client' ? 'link' : 'page'}
        </TextLink>{' '}
        too.
      </p>
      <div>
        <Button variant="secondary" onPress={() => setLeaving(true)}>
          Sign out everywhere
        </Button>
      </div>
      {isLeaving && <SignOutEverywhere onClose={() => setLeaving(false)} onSignedOut={onSignedOut} />}
    </div>
  )
}

function SignOutEverywhere({ onClose, onSignedOut }: { onClose(): void; onSignedOut(): void }) {
  const role = useAccountRole()

  const signOut = useAction(`POST /${role}/logout-everywhere`, {
    onDone() {
      announceSignOut()
      endSession()
      onSignedOut()
    },
  })

  return (
    <ActionDialog
      onClose={onClose}
      title="Sign out everywhere?"
      confirmLabel="Sign out everywhere"
      cancelLabel="Stay signed in"
      onConfirm={signOut.send}
      failureTitle="You are still signed in"
    >
      <p>
        Every device is signed out at once, including this one. Your sessions stay booked, and you can log in
        again at any time.
      </p>
    </ActionDialog>
  )
}

function nameOf({ device }: LoginSession): string {
  return device ?? 'An unknown device'
}

function when(instant: string): string {
  return formatDayAndTime(instant, viewerZone(), serverNow())
}

export function LoginSessionsLoading() {
  return (
    <Loading label="Loading your devices" className="flex flex-col gap-3">
      <Skeleton className="h-24 rounded-xl" />
      <Skeleton className="h-24 rounded-xl" />
    </Loading>
  )
}
