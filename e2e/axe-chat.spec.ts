import { looker, screens, walking } from './axe.ts'
import { chatter, messageLine, openDialog, send, write } from './chats.ts'
import { expect, test } from './fixtures.ts'
import { register, signIn } from './people.ts'
import { demoTherapist } from './therapists.ts'

test.use(walking)

test('chats', async ({ page, request, allowComplaint }) => {
  allowComplaint(/status of (422|404)|WebSocket/)
  const { look, expectAllSeen } = looker(page, screens.chats)
  const account = await register(request, 'Robin Vale')
  const grace = await demoTherapist(request)
  await signIn(page, account)
  await page.goto('/chats')
  await expect(page.getByText('Sorry, but you don’t have any chats to show.')).toBeVisible()
  await look('no chats')

  const client = await chatter(request, account, 'client')
  const therapist = await chatter(request, grace, 'therapist')
  const dialogId = await openDialog(request, client, grace.id)
  await write(request, client, dialogId, 'I have not slept for three weeks.')
  await write(request, therapist, dialogId, `That sounds exhausting.\n${'unbroken'.repeat(30)}`)
  const row = page.getByRole('link', { name: /Grace Holloway.*1 unread/s })
  await expect(row).toBeVisible()
  await look('chats, with an unread one')
  await row.click()
  await expect(messageLine(page, 'That sounds exhausting.')).toBeVisible()
  await look('chat, with a line above what is new')

  // Without a socket a message goes by HTTP, where it is refused.
  await page.routeWebSocket(/\/socket\//, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((frame) => {
      socket.send(frame)
      void socket.close()
      void server.close()
    })
  })
  await page.route('**/api/v7/chat/messages', (route) =>
    route.fulfill({ status: 422, json: { code: 'validation_failed', message: 'This cannot be sent.' } }),
  )
  await page.reload()
  await expect(page.getByText('You are not connected at the moment.')).toBeVisible()
  await send(page, 'Thank you.')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.getByPlaceholder('Enter your message').fill('x'.repeat(4001))
  await look('chat, a message that failed and one that is too long')
  await page.goto('/chat?dialogId=11111111-1111-4111-8111-111111111111')
  await expect(page.getByText('We cannot find this chat')).toBeVisible()
  await look('chat that is not there')
  expectAllSeen()
})
