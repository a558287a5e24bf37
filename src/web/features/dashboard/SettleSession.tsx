import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TherapistSession } from '#contract/therapist-sessions.ts'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { dashboardRoot } from './dashboard-queries.ts'

type Props = {
  session: TherapistSession
  as: 'completed' | 'no_show'
  onClose(): void
  onSettled(session: TherapistSession): void
}

const words = {
  completed: {
    title: 'Mark as completed?',
    confirm: 'Mark as completed',
    means: 'It took place. Your client can review it from now on. Nothing changes about the money.',
  },
  no_show: {
    title: 'Did the client not come?',
    confirm: 'Client did not come',
    means:
      'The fee stays yours, and your client gets nothing back and cannot review the session. They see it under their past sessions.',
  },
} as const

/** Says what it means before a practitioner says what became of a session. */
export function SettleSession({ session, as, onClose, onSettled }: Props) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()
  const zone = viewerZone()
  const { title, confirm, means } = words[as]

  async function settle(): Promise<void> {
    setPending(true)
    setError(undefined)
    try {
      const settled = await callApi(
        as === 'completed'
          ? 'POST /therapist/sessions/{appointment_id}/complete'
          : 'POST /therapist/sessions/{appointment_id}/no-show',
        { params: { appointment_id: session.appointment_id } },
      )
      await client.invalidateQueries({ queryKey: dashboardRoot() })
      onSettled(settled)
    } catch (thrown) {
      setError(thrown)
      void client.invalidateQueries({ queryKey: dashboardRoot() })
    } finally {
      setPending(false)
    }
  }

  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      title={title}
      confirmLabel={confirm}
      cancelLabel="Leave it as it is"
      isPending={isPending}
      onConfirm={() => void settle()}
    >
      <div className="flex flex-col gap-4">
        <p className="font-semibold">
          {session.client.name}, {formatDayAndTime(session.starts_at, zone)}
        </p>
        <p>{means}</p>
        {session.settles_at && (
          <p className="text-soft">You can correct it until {formatDayAndTime(session.settles_at, zone)}.</p>
        )}
        {error !== undefined && (
          <Notice tone="danger" live="assertive" title="It is not noted">
            {messageOf(error)}
          </Notice>
        )}
      </div>
    </ConfirmDialog>
  )
}
