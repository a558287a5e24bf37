import type { Serve } from '../../http/serve.ts'
import type { ChatModeration } from './chat.moderation.ts'
import type { Chat } from './chat.service.ts'

export function chatRoutes(serve: Serve, chat: Chat): void {
  serve('GET /client/profile/show', ({ caller }) => chat.clientShow(caller))
  serve('GET /therapist/profile/show', ({ caller }) => chat.therapistShow(caller))
  serve('GET /client/{id}/get-chat-profile', ({ caller, params }) => chat.chatProfile(caller, params.id))
  serve('POST /chat/session', ({ body }) => chat.openSession(body))
  serve('GET /chat/dialogs', ({ caller, query }) => chat.dialogs(caller, query))
  serve('POST /chat/dialogs', ({ caller, body, address }) => chat.start(caller, body, address))
  serve('GET /chat/unread', ({ caller }) => chat.unread(caller))
  serve('GET /chat/messages', ({ caller, query }) => chat.messages(caller, query))
  serve('POST /chat/messages', ({ caller, body }) => chat.send(caller, body))
  serve('POST /chat/messages/read', ({ caller, body }) => chat.read(caller, body))
}

/** Routes to block and to report. */
export function chatModerationRoutes(serve: Serve, moderation: ChatModeration): void {
  serve('POST /chat/dialogs/{id}/block', ({ caller, params }) => moderation.block(caller, params.id))
  serve('POST /chat/dialogs/{id}/unblock', ({ caller, params }) => moderation.unblock(caller, params.id))
  serve('POST /chat/dialogs/{id}/report', ({ caller, params, body }) =>
    moderation.report(caller, params.id, body),
  )
}
