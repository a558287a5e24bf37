import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { NotificationChoices } from '#contract/notifications.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { notificationsQuery } from './own-profile.ts'
import { PushSwitch } from './PushSwitch.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'

/** The settings for notifications while the product is not open: by mail, and by push in this browser. */
export function NotificationSettings() {
  const query = useQuery(notificationsQuery())
  const { data, error } = query
  if (!data) {
    if (!error) return <NotificationSettingsLoading />
    return <QueryError title="Your settings did not load" query={query} />
  }
  return (
    <div className="flex flex-col gap-6">
      <MailSwitch
        choice="session_reminders"
        isOn={data.session_reminders}
        label="Session reminders by email"
        description="A day before, and an hour before."
      />
      <MailSwitch
        choice="unread_mail"
        isOn={data.unread_mail}
        label="Email about unread messages"
        description="When a message has been waiting for 15 minutes. At most one a day for each conversation."
      />
      <PushSwitch pushKey={data.push_key} endpoints={data.push_endpoints} />
      <p className="text-sm text-soft">
        They never say what is in a message, or who wrote it. We always email you when a session is booked,
        moved or cancelled, and about payments.
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
  const choose = useAction('PUT /notices', {
    onDone: (chosen) =>
      client.setQueryData(
        notificationsQuery().queryKey,
        (known) => known && { ...known, [choice]: chosen[choice] },
      ),
  })

  return (
    <div className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-5 shadow-low sm:p-6">
      <Switch
        isOn={isOn}
        aria-disabled={choose.isPending}
        onChange={(event) => choose.start({ body: { [choice]: event.currentTarget.checked } })}
        description={description}
      >
        {label}
      </Switch>
      <ErrorAlert title="That was not changed" error={choose.error} />
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
