import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Dialog } from '#contract/chat/chat.ts'
import { announce } from '#web/lib/announce.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { profilePath } from '#web/lib/profile-path.ts'
import { viewerZone } from '#web/lib/time.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { useNoonOfToday } from '#web/lib/use-today.ts'
import { classes } from '#web/ui/classes.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { iconButtonLook } from '#web/ui/IconButton.tsx'
import { LostPath } from '#web/ui/illustrations/LostPath.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Announcements } from './Announcements.tsx'
import { ChatLoading } from './ChatLoading.tsx'
import { type Conversation, useChat } from './chat-state.ts'
import { loadOlder, markRead, openConversation, showDialog, startChat } from './chat-store.ts'
import { Composer } from './Composer.tsx'
import { ConnectionBar } from './ConnectionBar.tsx'
import { hasOlder, withoutGap } from './conversation.ts'
import { type Partner, partnerOf } from './dialogs.ts'
import { MessageList } from './MessageList.tsx'
import { discardMessage, putIntoOutbox, retryMessage } from './outbox.ts'
import { timelineOf } from './timeline.ts'
import { tellTyping } from './typing.ts'

type Props = {
  dialogId: string
  role: 'client' | 'therapist'
  /** It stands on the page of something else, which has the heading and the title. */
  isPanel?: boolean
  /** What the two have with each other today, below the name. */
  bar?: ReactNode
  /** The emergency numbers; shown beside the composer. */
  emergency: ReactNode
  /** More that may be done about this chat, beside the name. */
  renderActions?(dialog: Dialog, partner: Partner): ReactNode
}

/** One dialog. Another one is another page: give it the dialog's id as its key. */
export function ChatPage({ dialogId, role, isPanel = false, bar, emergency, renderActions }: Props) {
  const dialog = useChat((state) => state.dialogs?.find(({ _id }) => _id === dialogId))
  const conversation = useChat((state) => state.conversations[dialogId])
  const ownId = useChat((state) => state.ownId)
  useEffect(() => {
    startChat()
    void openConversation(dialogId)
    return showDialog(dialogId)
  }, [dialogId])

  const partner = dialog && partnerOf(dialog, role)
  useTitle(partner && !isPanel ? `Chat with ${partner.name}` : undefined)
  if (conversation?.status === 'failed' && !dialog) {
    return (
      <NotOpened
        error={conversation.error}
        onRetry={() => void openConversation(dialogId)}
        level={isPanel ? 2 : 1}
      />
    )
  }
  const actions = dialog && partner && renderActions?.(dialog, partner)
  return (
    <>
      {!isPanel && <ChatHeader partner={partner} actions={actions} />}
      {isPanel && renderActions && <PanelHeader actions={actions} />}
      {bar}
      <ConnectionBar />
      {dialog && partner && ownId && conversation?.status === 'ready' ? (
        <OpenChat {...{ dialog, partner, ownId, conversation, emergency }} />
      ) : conversation?.status === 'failed' ? (
        <ErrorState
          title="The messages did not load"
          onRetry={() => void openConversation(dialogId)}
          error={conversation.error}
        />
      ) : (
        <ChatLoading />
      )}
    </>
  )
}

function PanelHeader({ actions }: { actions: ReactNode }) {
  return (
    <div className="flex min-h-14 items-center justify-between gap-3 border-b border-line px-4 py-1 sm:px-5">
      <h2 className="text-lg">Chat</h2>
      {actions}
    </div>
  )
}

function ChatHeader({ partner, actions }: { partner: Partner | undefined; actions: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // As on any other page. From one chat to another the query alone changes, and the pressed link stays.
  useEffect(() => {
    if (document.activeElement?.matches('a[aria-current=page]'))
      heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <header className="flex items-center gap-3 border-b border-line px-2 py-2.5 sm:px-4 lg:px-5">
      {/* Beside the list of chats there is nothing to go back to. */}
      <Link to="/chats" aria-label="Back to your chats" className={classes(iconButtonLook, 'lg:hidden')}>
        <IconArrowLeft aria-hidden size={24} />
      </Link>
      {partner ? (
        <Portrait name={partner.name} image={partner.image} size={48} />
      ) : (
        <Skeleton className="size-12 shrink-0 rounded-full" />
      )}
      {/* On a phone the way to the profile stands below the name, so that the name has its line. */}
      <div className="min-w-0 grow sm:grid sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center sm:gap-x-4">
        <h1 ref={heading} tabIndex={-1} className="text-lg leading-tight break-words sm:text-xl">
          {partner?.name ?? 'Chat'}
        </h1>
        <div className="flex flex-wrap items-center gap-x-3 sm:contents">
          {partner && partner.providerTypes.length > 0 && (
            <p className="text-sm text-soft">{partner.providerTypes.join(', ')}</p>
          )}
          {partner?.profileId !== undefined && (
            <TextLink
              to={profilePath(partner.profileId)}
              className="-my-3 inline-flex min-h-11 items-center text-sm font-semibold whitespace-nowrap sm:col-start-2 sm:row-span-2 sm:row-start-1 sm:my-0 sm:px-1 sm:text-base"
            >
              See profile
            </TextLink>
          )}
        </div>
      </div>
      {actions}
    </header>
  )
}

type OpenProps = {
  dialog: Dialog
  partner: Partner
  ownId: string
  conversation: Conversation
  emergency: ReactNode
}

function OpenChat({ dialog, partner, ownId, conversation, emergency }: OpenProps) {
  const id = dialog._id
  const [zone] = useState(viewerZone)
  // Where one had read up to on coming here; what has been seen since then stays below the line.
  const [unreadAfter] = useState(() => (dialog.unread_messages_count > 0 ? dialog.read_seq : undefined))
  const outbox = useChat((state) => state.outbox)
  const isTyping = useChat((state) => state.typing[id] === true)
  const field = useRef<HTMLTextAreaElement>(null)
  const now = useNoonOfToday(zone)
  const messages = useMemo(() => withoutGap(conversation.messages), [conversation.messages])
  const rows = useMemo(
    () =>
      timelineOf({
        messages,
        outgoing: outbox.filter((each) => each.chat_dialog_id === id),
        ownId,
        otherReadUpTo: dialog.other_read_seq,
        unreadAfter,
        zone,
        now,
      }),
    [messages, outbox, id, ownId, dialog.other_read_seq, unreadAfter, zone, now],
  )

  const lastSeq = messages.at(-1)?.seq ?? 0
  const onSeen = useCallback(() => void markRead(id, lastSeq), [id, lastSeq])
  const onOlder = useCallback(() => void loadOlder(id), [id])
  const onDiscard = useCallback((messageId: string) => {
    discardMessage(messageId)
    field.current?.focus()
  }, [])

  const closed = closedText(dialog, partner)
  const knownClosed = useRef(closed)
  useEffect(() => {
    if (closed !== undefined && knownClosed.current !== closed) announce(closed)
    knownClosed.current = closed
  }, [closed])

  return (
    <>
      <MessageList
        rows={rows}
        partnerName={partner.name}
        zone={zone}
        older={hasOlder(messages) ? conversation.older : 'none'}
        onOlder={onOlder}
        isTyping={isTyping}
        onSeen={onSeen}
        onRetry={retryMessage}
        onDiscard={onDiscard}
      />
      <Announcements messages={messages} ownId={ownId} partnerName={partner.name} />
      <div className="border-t border-line px-3 pt-3 pb-2 sm:px-5">
        <Composer
          ownId={ownId}
          dialogId={id}
          partnerName={partner.name}
          closed={closed}
          field={field}
          onSend={(text) => putIntoOutbox(id, text)}
          onTyping={() => tellTyping(id)}
        />
        <div className="px-1 pt-1.5">{emergency}</div>
      </div>
    </>
  )
}

/** Why this chat takes no more messages, or undefined. */
function closedText({ closed }: Dialog, { name }: Partner): string | undefined {
  if (!closed) return undefined
  return closed === 'blocked_by_you'
    ? `You have blocked ${name}, and neither of you can write here.`
    : `You can no longer write to ${name}, but your messages stay here for you to read.`
}

function NotOpened({ error, onRetry, level }: { error: unknown; onRetry(): void; level: 1 | 2 }) {
  if (error instanceof ApiError && (error.status === 404 || error.status === 422)) {
    return (
      <EmptyState
        level={level}
        title="We cannot find this chat"
        illustration={<LostPath className="w-52" />}
        actions={<ButtonLink to="/chats">Your chats</ButtonLink>}
      >
        <p>The address may be mistyped, or it belongs to another account.</p>
      </EmptyState>
    )
  }
  return <ErrorState level={level} title="This chat did not load" onRetry={onRetry} error={error} />
}
