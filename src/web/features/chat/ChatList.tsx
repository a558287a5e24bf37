import { useEffect, useState } from 'react'
import { Link, Navigate } from 'react-router'
import type { Dialog } from '#contract/chat/chat.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { chatPath } from '#web/lib/chat-paths.ts'
import { foundTherapistsPath } from '#web/lib/site.ts'
import { viewerZone } from '#web/lib/time.ts'
import { useNoonOfToday } from '#web/lib/use-today.ts'
import { classes } from '#web/ui/classes.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { EmptyChair } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { useChat } from './chat-state.ts'
import { loadDialogs, startChat } from './chat-store.ts'
import { partnerOf } from './dialogs.ts'
import { lastTimeLabel } from './timeline.ts'

type Props = {
  role: 'client' | 'therapist'
  /** The dialog that stands beside the list. */
  openId: string | undefined
}

/** The caller's chats, last active first. */
export function ChatList({ role, openId }: Props) {
  useEffect(startChat, [])
  const dialogs = useChat((state) => state.dialogs)
  const error = useChat((state) => state.dialogsError)
  const isLoading = useChat((state) => state.isLoadingDialogs)
  const ownId = useChat((state) => state.ownId)
  const [zone] = useState(viewerZone)
  const noon = useNoonOfToday(zone)
  if (!dialogs) {
    if (error === undefined) return <ChatListLoading />
    if (error instanceof ApiError && error.code === 'suspended') {
      return <Navigate to="/therapist/suspended" replace />
    }
    return (
      <ErrorState
        title="Your chats did not load"
        onRetry={() => void loadDialogs()}
        isRetrying={isLoading}
        error={error}
      />
    )
  }
  if (dialogs.length === 0) return isLoading ? <ChatListLoading /> : <NoChats role={role} />
  return (
    <ul className="flex flex-col gap-0.5 px-2 pb-4">
      {dialogs.map((dialog) => (
        <DialogRow
          key={dialog._id}
          dialog={dialog}
          role={role}
          ownId={ownId}
          zone={zone}
          now={noon}
          isOpen={dialog._id === openId}
        />
      ))}
    </ul>
  )
}

type RowProps = {
  dialog: Dialog
  role: Props['role']
  ownId: string | undefined
  isOpen: boolean
  zone: string
  /** Within today, as epoch milliseconds. */
  now: number
}

function DialogRow({ dialog, role, ownId, isOpen, zone, now }: RowProps) {
  const partner = partnerOf(dialog, role)
  const isTyping = useChat((state) => state.typing[dialog._id] === true)
  const unread = dialog.unread_messages_count
  const sentAt = dialog.last_message_date_sent
  return (
    <li>
      <Link
        to={chatPath(dialog._id)}
        aria-current={isOpen ? 'page' : undefined}
        className={classes(
          'flex items-start gap-3.5 rounded-lg px-3 py-3 no-underline transition-colors',
          isOpen ? 'chosen-outline bg-action-soft' : 'hover:bg-sunken',
        )}
      >
        <Portrait name={partner.name} image={partner.image} size={52} isLazy />
        <span className="flex min-w-0 grow flex-col">
          <span className="flex items-baseline justify-between gap-3">
            <span className="line-clamp-2 min-w-0 font-semibold wrap-anywhere">{partner.name}</span>
            {sentAt !== null && (
              <time
                dateTime={new Date(sentAt * 1000).toISOString()}
                className="shrink-0 text-xs text-soft tabular-nums"
              >
                {lastTimeLabel(sentAt * 1000, zone, now)}
              </time>
            )}
          </span>
          {partner.providerTypes.length > 0 && (
            <span className="truncate text-sm text-soft">{partner.providerTypes.join(', ')}</span>
          )}
          <span className="mt-0.5 flex items-start justify-between gap-3">
            <span
              dir="auto"
              className={classes(
                'line-clamp-1 min-w-0 text-sm [overflow-wrap:anywhere]',
                unread > 0 ? 'font-semibold text-ink' : 'text-soft',
              )}
            >
              {isTyping
                ? 'Writing…'
                : dialog.last_message === null
                  ? 'No messages yet'
                  : `${dialog.last_message_user_id === ownId ? 'You: ' : ''}${dialog.last_message}`}
            </span>
            {unread > 0 && (
              <span className="inline-grid h-6 min-w-6 shrink-0 place-items-center rounded-full border border-transparent bg-action px-1.5 text-xs font-semibold text-on-action tabular-nums">
                {unread > 99 ? '99+' : unread}
                <span className="sr-only"> unread</span>
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  )
}

function NoChats({ role }: { role: Props['role'] }) {
  const isClient = role === 'client'
  return (
    <EmptyState
      title="Sorry, but you don’t have any chats to show."
      illustration={<EmptyChair className="w-40" />}
      actions={isClient && <ButtonLink to={foundTherapistsPath}>Find a Therapist</ButtonLink>}
    >
      <p>
        {isClient
          ? 'Your messages with the therapist appear here. Your data is confidential.'
          : 'Your messages with clients appear here as soon as one of them writes to you. All data is confidential.'}
      </p>
    </EmptyState>
  )
}

export function ChatListLoading() {
  return (
    <Loading label="Loading your chats" className="flex flex-col gap-0.5 px-2">
      {[0, 1, 2].map((row) => (
        <span key={row} className="flex items-center gap-3.5 px-3 py-3">
          <Skeleton className="size-13 shrink-0 rounded-full" />
          <span className="flex grow flex-col gap-2">
            <Skeleton className="h-5 w-2/3" />
            <Skeleton className="h-4 w-5/6" />
          </span>
        </span>
      ))}
    </Loading>
  )
}
