import type { Dialog, Message } from '#contract/chat/chat.ts'
import { announce } from '#web/lib/announce.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { callChat, canChat, chatRole, chatSession } from '#web/lib/chat-session.ts'
import { askLive, isConnected, onConnected, onLive, startLive } from '#web/lib/live.ts'
import { onAnotherPerson } from '#web/lib/session.ts'
import { changeChat, changeConversation, emptyState, readChat } from './chat-state.ts'
import { hasOlder, lastWithoutGap, mergeMessages, type Messages, withoutDelivered } from './conversation.ts'
import { followsOn, mergeDialog, mergeDialogs, noteMessage, noteRead, partnerOf } from './dialogs.ts'
import { forgetTextsOfOthers, keepDraft, keepOutbox, readOutbox } from './kept-texts.ts'
import { flushOutbox, startOutbox } from './outbox.ts'
import { hideTyping, showTyping } from './typing.ts'

/*
 * The chats of the signed-in account, kept current by the socket. Live events are merged at once. A gap in `seq` shows
 * that messages are missing; these are read over HTTP.
 */

/** Messages per page. */
const pageSize = 100
/** Dialogs per page, and pages at most. */
const dialogPages = { size: 100, most: 20 }
/** Reads in a row of a dialog in which messages go on coming. */
const mostCounts = 5
/** Without a socket, or after a read has failed, one looks again this often. */
const askingPause = 10_000

let turn = 0
let isStarted = false
const stops: (() => void)[] = []

/** Starts to keep the chats current, if the signed-in account can chat. Repeated calls have no effect. */
export function startChat(): void {
  if (isStarted || !canChat()) return
  isStarted = true
  startLive()
  stops.push(
    onConnected(() => void catchUp()),
    onLive('message', ({ message }) => {
      takeIn(message.chat_dialog_id, [message])
      announceMessage(message)
    }),
    onLive('read', ({ chat_dialog_id, reader_id, up_to }) => {
      const isOwn = reader_id === readChat().ownId
      noteReading(chat_dialog_id, isOwn, up_to)
      if (isOwn) countWhatIsLeft(chat_dialog_id)
    }),
    onLive('typing', ({ chat_dialog_id, sender_id }) => {
      if (sender_id !== readChat().ownId) showTyping(chat_dialog_id)
    }),
    onLive('notice', ({ type }) => {
      if (type === 'chat.changed') void loadDialogs()
    }),
    startOutbox((message) => takeIn(message.chat_dialog_id, [message])),
  )
  const asking = setInterval(askAgain, askingPause)
  stops.push(() => clearInterval(asking))
  void loadDialogs()
}

/** Finds out who one is in the chat, and what was on its way when the page was left. */
async function knowOneself(): Promise<string> {
  const forTurn = turn
  const { ccId } = await chatSession()
  if (forTurn === turn && readChat().ownId === undefined) {
    forgetTextsOfOthers(ccId)
    changeChat({ ownId: ccId, outbox: readOutbox(ccId) })
    // The socket may have been there before.
    if (isStarted) flushOutbox()
  }
  return ccId
}

let listRepeat: ReturnType<typeof setTimeout> | undefined
let reading: Promise<void> | undefined
let readingNext: Promise<void> | undefined

/** Reads the list of dialogs, all of it. One read at a time; what calls meanwhile has one more follow. */
export function loadDialogs(): Promise<void> {
  if (reading) {
    readingNext ??= reading.then(() => {
      readingNext = undefined
      return loadDialogs()
    })
    return readingNext
  }
  const made = readDialogs().finally(() => {
    if (reading === made) reading = undefined
  })
  reading = made
  return made
}

async function readDialogs(): Promise<void> {
  const forTurn = turn
  const knownAtStart = readChat().dialogs
  clearTimeout(listRepeat)
  changeChat({ isLoadingDialogs: true })
  try {
    await knowOneself()
    const read = await readList(knownAtStart ?? [])
    if (forTurn !== turn) return
    changeChat(({ dialogs }) => ({
      dialogs: mergeDialogs(dialogs ?? [], read, knownAtStart ?? []),
      dialogsError: undefined,
      isLoadingDialogs: false,
    }))
    for (const { _id, read_seq } of read) {
      const own = dialogOf(_id)?.read_seq ?? 0
      if (own > read_seq) void sendReadMark(_id, own)
    }
    for (const dialog of readChat().dialogs ?? []) fillWhereBehind(dialog)
    for (const { _id } of knownAtStart ?? []) {
      if (!dialogOf(_id)) forgetConversation(_id)
    }
  } catch (error) {
    if (forTurn !== turn) return
    changeChat({ dialogsError: error, isLoadingDialogs: false })
    if (!isRefused(error)) repeatListLater()
  }
}

/** Such as an account that may not chat. Too many calls pass by themselves. */
const isRefused = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429

/** Without a network, the list is read once the connection is back. */
function repeatListLater(): void {
  clearTimeout(listRepeat)
  listRepeat = setTimeout(() => navigator.onLine && void loadDialogs(), askingPause)
}

/**
 * Reads the list page by page, and then those of the known dialogs that it lacks: they may have moved up between two
 * pages, or come after the last page.
 */
async function readList(known: readonly Dialog[]): Promise<Dialog[]> {
  const { size: limit } = dialogPages
  const read: Dialog[] = []
  for (let page = 0; page < dialogPages.most; page++) {
    const before = read.at(-1)?._id
    const more = await callChat('GET /chat/dialogs', { query: { limit, ...(before ? { before } : {}) } })
    read.push(...more)
    if (more.length < limit) break
  }
  if (read.length < limit) return read
  const found = new Set(read.map(({ _id }) => _id))
  const lacking = known.flatMap(({ _id }) => (found.has(_id) ? [] : _id))
  for (let from = 0; from < lacking.length; from += limit) {
    const _id = lacking.slice(from, from + limit).join(',')
    read.push(...(await callChat('GET /chat/dialogs', { query: { _id, limit } })))
  }
  return read
}

function forgetConversation(id: string): void {
  const error = new ApiError(404, { code: 'not_found', message: 'This chat is no longer here.' })
  changeChat(({ conversations, outbox }) => ({
    conversations: {
      ...conversations,
      [id]: { messages: [], status: 'failed', error, older: 'idle' },
    },
    outbox: outbox.filter(({ chat_dialog_id }) => chat_dialog_id !== id),
  }))
  const { ownId, outbox } = readChat()
  if (!ownId) return
  keepOutbox(ownId, outbox)
  keepDraft(ownId, id, '')
}

/** Reads the last messages of a dialog, or what has come since they were read. */
export async function openConversation(id: string): Promise<void> {
  const known = readChat().conversations[id]
  if (known?.status === 'ready') return fillUp(id)
  const forTurn = turn
  changeConversation(id, (before) => ({ ...before, status: 'loading' }))
  try {
    await knowOneself()
    const [messages] = await Promise.all([
      callChat('GET /chat/messages', {
        query: { chat_dialog_id: id, sort_asc: 'date_sent', limit: pageSize },
      }),
      dialogOf(id) ? undefined : loadDialog(id),
    ])
    if (forTurn !== turn) return
    changeConversation(id, (before) => ({ ...before, status: 'ready' }))
    takeIn(id, messages)
  } catch (error) {
    if (forTurn === turn) changeConversation(id, (before) => ({ ...before, status: 'failed', error }))
  }
}

const dialogOf = (id: string) => readChat().dialogs?.find(({ _id }) => _id === id)

async function loadDialog(id: string): Promise<Dialog | undefined> {
  const forTurn = turn
  const [dialog] = await callChat('GET /chat/dialogs', { query: { _id: id } })
  if (dialog && forTurn === turn) takeDialog(dialog)
  return dialog
}

/** Opens the one dialog there is, for a client with a practitioner, for a practitioner with the client of a session. */
export async function openDialogWith(
  whom: { practitioner_id: number } | { appointment_id: string },
): Promise<string> {
  const dialog = await callChat('POST /chat/dialogs', { body: whom })
  if (readChat().dialogs) takeDialog(dialog)
  return dialog._id
}

/** Reads the messages before the first that is known. */
export async function loadOlder(id: string): Promise<void> {
  const conversation = readChat().conversations[id]
  if (!conversation || conversation.older === 'loading' || !hasOlder(conversation.messages)) return
  const forTurn = turn
  changeConversation(id, (before) => ({ ...before, older: 'loading' }))
  try {
    const older = await callChat('GET /chat/messages', {
      query: {
        chat_dialog_id: id,
        sort_asc: 'date_sent',
        limit: pageSize,
        before: conversation.messages[0]?.seq,
      },
    })
    if (forTurn !== turn) return
    changeConversation(id, (before) => ({
      ...before,
      messages: mergeMessages(before.messages, older),
      older: 'idle',
    }))
  } catch {
    if (forTurn === turn) changeConversation(id, (before) => ({ ...before, older: 'failed' }))
  }
}

/** Reads the list, and with it what the open conversation lacks, while there is no socket. */
function askAgain(): void {
  if (isRefused(readChat().dialogsError)) return
  if (!isConnected() && document.visibilityState !== 'hidden' && navigator.onLine) void loadDialogs()
}

/** Says which dialog is on the screen. Returns the function that says that it is gone. */
export function showDialog(id: string): () => void {
  openId = id
  return () => {
    if (openId === id) openId = undefined
  }
}

/** The dialog on the screen, which reads out its messages itself. */
let openId: string | undefined

/** Has a message read out that arrives while another page is open: whom it is from, not what it says. */
function announceMessage({ chat_dialog_id: id, sender_id }: Message): void {
  const dialog = dialogOf(id)
  if (!dialog || sender_id === readChat().ownId || id === openId) return
  announce(`New message from ${partnerOf(dialog, chatRole()).name}`)
}

/** Reads what was missed without a connection. */
async function catchUp(): Promise<void> {
  await loadDialogs()
  const { conversations } = readChat()
  await Promise.all(
    Object.entries(conversations).map(([id, conversation]) =>
      conversation?.status === 'ready' ? fillUp(id) : openConversation(id),
    ),
  )
}

const filling = new Map<string, { again: boolean }>()
/** Of dialogs whose messages could not be read. */
const repeats = new Map<string, ReturnType<typeof setTimeout>>()

/** Asks for everything after the last message without a gap. One at a time for each dialog; what calls meanwhile is done after. */
async function fillUp(id: string): Promise<void> {
  const under = filling.get(id)
  if (under) {
    under.again = true
    return
  }
  const forTurn = turn
  const progress = { again: false }
  filling.set(id, progress)
  clearTimeout(repeats.get(id))
  try {
    do {
      progress.again = false
      const after = lastWithoutGap(readChat().conversations[id]?.messages ?? [])
      const missed = await callChat('GET /chat/messages', {
        query: { chat_dialog_id: id, sort_asc: 'date_sent', limit: pageSize, after },
      })
      if (forTurn !== turn) return
      putIn(id, missed)
      if (missed.length === pageSize) progress.again = true
    } while (progress.again)
  } catch (error) {
    const isGone = error instanceof ApiError && error.status === 404
    if (forTurn === turn && !isGone)
      repeats.set(
        id,
        setTimeout(() => void fillUp(id), askingPause),
      )
  } finally {
    filling.delete(id)
  }
}

/** Merges messages from the socket, the outbox or HTTP, and reads the ones missing before them. */
function takeIn(id: string, messages: Messages): void {
  putIn(id, messages)
  const conversation = readChat().conversations[id]
  if (conversation?.status !== 'ready') return
  const last = conversation.messages.at(-1)?.seq ?? 0
  if (lastWithoutGap(conversation.messages) < last) void fillUp(id)
}

function putIn(id: string, messages: Messages): void {
  const { ownId } = readChat()
  if (messages.some(({ sender_id }) => sender_id !== ownId)) hideTyping(id)
  if (readChat().conversations[id]) {
    changeConversation(id, (before) => ({ ...before, messages: mergeMessages(before.messages, messages) }))
  }
  const known = dialogOf(id)
  const isCounted = messages.length === 0 || (known !== undefined && followsOn(known, messages))
  changeChat(({ dialogs, outbox }) => ({
    dialogs: dialogs && messages.reduce((all, message) => noteMessage(all, message, ownId), dialogs),
    outbox: withoutDelivered(outbox, messages),
  }))
  if (ownId) keepOutbox(ownId, readChat().outbox)
  if (!isCounted && readChat().dialogs) void countAnew(id)
}

/** After a read mark that the server has: of the messages after it, one's own are not unread, and the dialog does not tell which. */
function countWhatIsLeft(id: string): void {
  if (dialogOf(id)?.unread_messages_count) void countAnew(id)
}

/** Has the server count what is unread in a dialog that is new here, or in which messages before one that has come are missing. */
async function countAnew(id: string): Promise<void> {
  const forTurn = turn
  // What comes during a read is counted by the next one.
  for (let read = 0; read < mostCounts; read++) {
    const counted = await loadDialog(id).catch(() => undefined)
    const known = dialogOf(id)
    if (forTurn !== turn || !counted || !known || counted.last_seq >= known.last_seq) return
  }
}

/** Merges a dialog that the server has answered with. */
export function takeDialog(dialog: Dialog): void {
  changeChat(({ dialogs }) => ({ dialogs: mergeDialog(dialogs ?? [], dialog) }))
  fillWhereBehind(dialog)
}

/** Reads the messages of a dialog that were read before and that the list is ahead of: their events may have been lost. */
function fillWhereBehind({ _id, last_seq }: Dialog): void {
  const conversation = readChat().conversations[_id]
  if (conversation?.status === 'ready' && (conversation.messages.at(-1)?.seq ?? 0) < last_seq)
    void fillUp(_id)
}

/** Says that one has seen everything up to a message. */
export async function markRead(id: string, upTo: number): Promise<void> {
  const dialog = dialogOf(id)
  if (!dialog || dialog.read_seq >= upTo) return
  noteReading(id, true, upTo)
  await sendReadMark(id, upTo)
}

/** One that is lost or refused is sent again once the list, read after a pause, shows that the server does not have it. */
async function sendReadMark(id: string, upTo: number): Promise<void> {
  const forTurn = turn
  const carried = { chat_dialog_id: id, up_to: upTo }
  const isKept = isConnected()
    ? (await askLive('read', carried))?.ok
    : await callChat('POST /chat/messages/read', { body: carried }).then(
        () => true,
        () => false,
      )
  if (forTurn !== turn) return
  if (isKept) countWhatIsLeft(id)
  else repeatListLater()
}

function noteReading(chat_dialog_id: string, isOwn: boolean, upTo: number): void {
  changeChat(({ dialogs }) => ({ dialogs: dialogs && noteRead(dialogs, { chat_dialog_id, isOwn, upTo }) }))
}

onAnotherPerson(() => {
  turn++
  isStarted = false
  for (const stop of stops.splice(0)) stop()
  for (const timer of [...repeats.values(), listRepeat]) clearTimeout(timer)
  filling.clear()
  reading = undefined
  readingNext = undefined
  changeChat(emptyState)
})
