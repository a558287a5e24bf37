import { IconDevices } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { LoginSession } from '#contract/accounts/account-settings.ts'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { endSession } from '#web/lib/session.ts'
import { announceSignOut } from '#web/lib/tabs.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { useAccountRole } from './account-paths.ts'
import { loginSessionsQuery } from './own-profile.ts'

/** Where the account is signed in; each can be ended, and all at once. */
export function LoginSessions({ onSignedOut }: { onSignedOut(): void }) {
  const role = useAccountRole()
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery(loginSessionsQuery(role))
  const [ending, setEnding] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const [isLeaving, setLeaving] = useState(false)
  const list = useRef<HTMLUListElement>(null)

  if (!data) {
    if (!error) return <LoginSessionsLoading />
    return (
      <ErrorState title="Your devices did not load" onRetry={() => void refetch()} isRetrying={isFetching}>
        <p>{messageOf(error)}</p>
      </ErrorState>
    )
  }

  async function end(session: LoginSession): Promise<void> {
    setEnding(session.id)
    setFailure(undefined)
    try {
      await callApi(`DELETE /${role}/login-sessions/{id}`, { params: { id: session.id } })
      client.setQueryData(loginSessionsQuery(role).queryKey, (known) =>
        known?.filter(({ id }) => id !== session.id),
      )
      showToast(`${nameOf(session)} is signed out.`)
      // The button that was pressed is gone with its device.
      list.current?.focus()
    } catch (thrown) {
      setFailure(thrown)
    } finally {
      setEnding(undefined)
    }
  }

  return (
    <div className="flex flex-col gap-6">
      {failure !== undefined && (
        <Alert tone="danger" live="assertive" title="That device is still signed in">
          {messageOf(failure)}
        </Alert>
      )}
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
            <span className="min-w-44 grow basis-0">
              <span className="block font-semibold">{nameOf(session)}</span>
              <span className="block text-sm text-soft">Since {when(session.began_at)}</span>
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
                pendingLabel="Signing out"
                onPress={() => void end(session)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p className="text-sm text-soft">
        The times are right to within a quarter of an hour. If you see a device that is not yours, sign out
        everywhere and choose a new password.
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

  async function signOut(): Promise<void> {
    await callApi(`POST /${role}/logout-everywhere`)
    announceSignOut()
    endSession()
    onSignedOut()
  }

  return (
    <ActionDialog
      onClose={onClose}
      title="Sign out everywhere?"
      confirmLabel="Sign out everywhere"
      cancelLabel="Stay signed in"
      onConfirm={signOut}
      failureTitle="You are still signed in"
    >
      <p>
        Every device is signed out at once, this one too. Your sessions stay booked, and you can log in again
        at any time.
      </p>
    </ActionDialog>
  )
}

function nameOf({ device }: LoginSession): string {
  return device ?? 'A device we could not recognise'
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
