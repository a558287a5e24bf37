import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import { useChat } from './chat-state.ts'
import { ChatList } from './ChatList.tsx'

type Props = {
  role: 'client' | 'therapist'
  /** The dialog that is open; undefined on the list's own page. */
  openId: string | undefined
  /** Something other than a dialog stands where dialogs are read. */
  isOpening: boolean
  children: ReactNode
}

/** List and chat beside each other where there is room, else the one that the address names. */
export function ChatsFrame({ role, openId, isOpening, children }: Props) {
  const isList = openId === undefined && !isOpening
  // Beside an empty list there is nothing to choose.
  const isAlone = useChat((state) => state.dialogs?.length === 0) && isList
  const Title = isList ? 'h1' : 'h2'
  return (
    <div
      className={classes(
        'mx-auto flex w-full max-w-6xl grow flex-col lg:min-h-0 lg:flex-row lg:px-6 lg:py-6',
        !isList && 'min-h-0',
      )}
    >
      <section
        aria-labelledby="chats-title"
        className={classes(
          'flex flex-col lg:shrink-0 lg:overflow-y-auto lg:border lg:border-line lg:bg-surface',
          isAlone ? 'lg:grow lg:rounded-xl' : 'lg:w-88 lg:rounded-l-xl',
          !isList && 'max-lg:hidden',
        )}
      >
        <Title id="chats-title" className="px-5 pt-6 pb-4 text-3xl lg:pt-5 lg:pb-3 lg:text-2xl">
          Chats
        </Title>
        <ChatList role={role} openId={openId} />
      </section>
      <div
        className={classes(
          'flex min-h-0 min-w-0 grow flex-col bg-paper lg:rounded-r-xl lg:border lg:border-l-0 lg:border-line',
          isAlone ? 'hidden' : isList && 'max-lg:hidden',
        )}
      >
        {children}
      </div>
    </div>
  )
}
