import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NotificationChoices } from '#contract/notifications.ts'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { notificationsQuery } from './own-profile.ts'
import { PushSwitch } from './PushSwitch.tsx'

/** The settings for notifications while the product is not open: by mail, and by push in this browser. */
export function NotificationSettings() {
  const { data, error, isFetching, refetch } = useQuery(notificationsQuery())
  if (!data) {
    if (!error) return <NotificationSettingsLoading />
    return (
      <ErrorState title="Your settings did not load" onRetry={() => void refetch()} isRetrying={isFetching}>
        <p>{messageOf(error)}</p>
      </ErrorState>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <MailSwitch
        choice="session_reminders"
        isOn={data.session_reminders}
        label="Reminders of sessions by mail"
        description="A day before, and an hour before."
      />
      <MailSwitch
        choice="unread_mail"
        isOn={data.unread_mail}
        label="Mail about unread messages"
        description="When a message has waited for a quarter of an hour. At most one a day for each conversation."
      />
      <PushSwitch pushKey={data.push_key} endpoints={data.push_endpoints} />
      <p className="text-sm text-soft">
        None says what is in a message, or who wrote it. Mails that a session is booked, moved or cancelled,
        and about payments, come in any case.
      </p>
    </div>
  )
}

function MailSwitch({
  choice,
  isOn,
  label,
  description,
}: {
  choice: keyof NotificationChoices
  isOn: boolean
  label: string
  description: string
}) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  async function choose(isWanted: boolean): Promise<void> {
    setPending(true)
    setFailure(undefined)
    try {
      const chosen = await callApi('PUT /notices', { body: { [choice]: isWanted } })
      client.setQueryData(notificationsQuery().queryKey, (known) => known && { ...known, ...chosen })
    } catch (thrown) {
      setFailure(thrown)
    } finally {
      setPending(false)
    }
  }

  return (
    <div className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-5 shadow-low sm:p-6">
      <Switch
        isOn={isOn}
        aria-disabled={isPending}
        onChange={(event) => {
          if (!isPending) void choose(event.currentTarget.checked)
        }}
        description={description}
      >
        {label}
      </Switch>
      {failure !== undefined && (
        <Alert tone="danger" live="assertive" title="This is not changed">
          {messageOf(failure)}
        </Alert>
      )}
    </div>
  )
}

export function NotificationSettingsLoading() {
  return (
    <Loading label="Loading your settings" className="flex flex-col gap-6">
      <Skeleton className="h-28 rounded-xl" />
      <Skeleton className="h-28 rounded-xl" />
      <Skeleton className="h-28 rounded-xl" />
    </Loading>
  )
}
