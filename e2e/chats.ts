import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { type Account, callAs } from './people.ts'
import { expect } from './fixtures.ts'
import type { Therapist } from './therapists.ts'

export type Kept = { _id: string; seq: number; sender_id: string; message: string }

/** The chat as the server keeps it, for one of the two. */
export type Chatter = {
  token: string
  /** How the chat names them. */
  id: string
}

/** Signs in to the chat by the API. */
export async function chatter(
  request: APIRequestContext,
  account: Pick<Account | Therapist, 'token'>,
  role: 'client' | 'therapist',
): Promise<Chatter> {
  const profile = await callAs<{ cc_id: string; cc_username: string; cc_password: string }>(
    request,
    account,
    'GET',
    `/${role}/profile/show`,
  )
  const { cc_id: id, cc_username, cc_password } = profile
  const { token } = await callAs<{ token: string }>(request, account, 'POST', '/chat/session', {
    cc_username,
    cc_password,
  })
  return { token, id }
}

/** Opens the dialog of a client with a practitioner by the API. Returns its id. */
export async function openDialog(
  request: APIRequestContext,
  client: Chatter,
  practitionerId: number,
): Promise<string> {
  const body = { practitioner_id: practitionerId }
  return (await callAs<{ _id: string }>(request, client, 'POST', '/chat/dialogs', body))._id
}

export async function write(
  request: APIRequestContext,
  who: Chatter,
  dialogId: string,
  message: string,
): Promise<void> {
  await callAs(request, who, 'POST', '/chat/messages', { chat_dialog_id: dialogId, message })
}

/** The last messages as the server keeps them, oldest first. */
export async function kept(request: APIRequestContext, who: Chatter, dialogId: string): Promise<Kept[]> {
  return callAs(request, who, 'GET', `/chat/messages?chat_dialog_id=${dialogId}&limit=100`)
}

/** The box with the messages of the open chat. */
export function messageBox(page: Page): Locator {
  return page.getByRole('region', { name: /^Messages with / })
}

/** The texts of the messages that are in the document, as they are shown. */
export function shownTexts(page: Page): Promise<string[]> {
  return messageBox(page).locator('li p[dir="auto"]').allInnerTexts()
}

/** The line of one message: its text with its state. */
export function messageLine(page: Page, text: string): Locator {
  return messageBox(page).getByRole('listitem').filter({ hasText: text })
}

export async function send(page: Page, text: string): Promise<void> {
  await page.getByPlaceholder('Enter your message').fill(text)
  await page.keyboard.press('Enter')
  await expect(page.getByPlaceholder('Enter your message')).toHaveValue('')
}
