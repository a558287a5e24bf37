import type { Page } from '@playwright/test'
import { announced } from './announced.ts'
import { bookByApi, offerOfPractitioner, ownPractitioner } from './booking.ts'
import { chatter, kept, messageBox, messageLine, openDialog, send, shownTexts, write } from './chats.ts'
import { expect, inMotion, test } from './fixtures.ts'
import { password, register, signIn } from './people.ts'
import { demoTherapist, signInTherapist } from './therapists.ts'

const unreadBadge = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Chats/ })

test.use(inMotion)

test('a visitor’s “Chat now” leads through signing in to the one chat, in which two people talk', async ({
  page,
  request,
  openContext,
}) => {
  const account = await register(request, 'Robin Vale')
  const grace = await demoTherapist(request)

  await page.goto(`/recommended-therapist?practitionerId=${grace.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ms Grace Holloway')
  await page.getByRole('link', { name: 'Chat now with Grace Holloway' }).click()
  await expect(page).toHaveURL(/\/sign-in\?return_to=/)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/chat\?dialogId=/)
  const address = page.url()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Grace Holloway')
  await expect(page.getByText('Say hello to Grace Holloway')).toBeVisible()

  const field = page.getByPlaceholder('Enter your message')
  await field.fill('   ')
  await page.keyboard.press('Enter')
  await field.fill('x'.repeat(4001))
  await expect(page.getByText('1 character too many')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('x'.repeat(4001))
  // By it a word was put together, which Safari says in the second way.
  await field.fill('日本')
  for (const composed of [{ isComposing: true }, { keyCode: 229 }]) {
    await field.dispatchEvent('keydown', { key: 'Enter', cancelable: true, ...composed })
    await expect(field).toHaveValue('日本')
  }
  await field.fill('Hello Grace.')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('<b>Not bold</b> שלום 👩‍👩‍👧')
  await page.keyboard.press('Enter')
  const first = 'Hello Grace.\n<b>Not bold</b> שלום 👩‍👩‍👧'
  await expect(messageLine(page, 'Hello Grace.')).toContainText('Sent')
  await expect.poll(() => shownTexts(page)).toEqual([first])

  // The other side.
  const room = await (await openContext({ viewport: { width: 375, height: 720 } })).newPage()
  await signInTherapist(room, grace)
  await room.goto('/chats')
  await expect(room).toHaveTitle(/^\(\d+\+?\) Chats/)
  const row = room.getByRole('link', { name: /Robin V\..*Hello Grace\..*1 unread/s }).first()
  await row.click()
  await expect(room.getByRole('heading', { level: 1 })).toHaveText('Robin V.')
  await expect(room.getByRole('link', { name: 'See profile' })).toHaveCount(0)
  await expect.poll(() => shownTexts(room)).toEqual([first])
  await expect(room.getByText('New messages', { exact: true })).toBeVisible()
  await expect(messageLine(page, 'Hello Grace.')).toContainText('Read')

  await room.getByPlaceholder('Enter your message').pressSequentially('Good', { delay: 20 })
  await expect(page.getByText('Grace Holloway is writing')).toBeVisible()
  // What is being written stays over a reload.
  await room.reload()
  await expect(room.getByPlaceholder('Enter your message')).toHaveValue('Good')
  await send(room, 'Good that you write.')
  await expect(page.getByRole('log', { name: 'New messages' })).toContainText(
    'Grace Holloway: Good that you write.',
  )
  await expect(page.getByText('Grace Holloway is writing')).toBeHidden()
  await expect(messageLine(room, 'Good that you write.')).toContainText('Read')

  // On another page of the product the messages are counted.
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^Hearth/ })
    .click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await send(room, 'When would suit you?')
  await expect(announced(page)).toContainText('New message from Grace Holloway')
  await expect(announced(page)).not.toContainText('When would suit you?')
  await send(room, 'Thursday is free.')
  await expect(page).toHaveTitle(/^\(2\) /)
  await expect(unreadBadge(page)).toHaveAccessibleName('Chats 2 unread')
  await unreadBadge(page).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chats')
  await page.getByRole('link', { name: /Grace Holloway.*Thursday is free\..*2 unread/s }).click()
  await expect(page).toHaveURL(address)
  await expect(page.getByText('New messages', { exact: true })).toBeVisible()
  await expect(page).toHaveTitle('Chat with Grace Holloway – Hearth')
  await expect(unreadBadge(page)).toHaveAccessibleName('Chats')
  // Every message has its time, also within a group.
  for (const text of ['Good that you write.', 'When would suit you?', 'Thursday is free.']) {
    await expect(messageLine(page, text).getByText(/^\d\d:\d\d$/)).toBeVisible()
    await expect(messageLine(room, text).getByText(/^\d\d:\d\d$/)).toBeVisible()
  }

  // However the chat is begun, it is this one.
  await page.getByRole('link', { name: 'See profile' }).click()
  await page.getByRole('link', { name: 'Chat now with Grace Holloway' }).click()
  await expect(page).toHaveURL(address)
  const all = await shownTexts(room)
  await expect.poll(() => shownTexts(page)).toEqual(all)
})

test('what is written without a network, and what was on its way when a line was cut or the page left, arrives once and in order', async ({
  page,
  request,
  openContext,
  allowComplaint,
}) => {
  allowComplaint(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket|status of 422/)
  const account = await register(request, 'Alex Stone')
  const grace = await demoTherapist(request)
  const client = await chatter(request, account, 'client')
  const dialogId = await openDialog(request, client, grace.id)
  await write(request, client, dialogId, 'one')

  /** The line between this page and the server. */
  const line = { isOpen: false, isDeaf: false, isClosed: false, cut: () => {} }
  await page.routeWebSocket(/\/socket\//, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((frame) => {
      if (!line.isDeaf) socket.send(frame)
      if (line.isClosed) line.cut()
      // The server has taken the page in.
      else if (String(frame).startsWith('40')) line.isOpen = true
    })
    line.cut = () => {
      line.isOpen = false
      void server.close()
      void socket.close()
    }
  })
  await signIn(page, account)
  await page.goto(`/chat?dialogId=${dialogId}`)
  await expect(messageLine(page, 'one')).toContainText('Sent')
  const room = await (await openContext()).newPage()
  await signInTherapist(room, grace)
  await room.goto(`/chat?dialogId=${dialogId}`)
  await expect(messageLine(page, 'one')).toContainText('Read')

  const offline = page.getByText('You are not connected at the moment.')
  await page.context().setOffline(true)
  await send(page, 'two')
  await send(page, 'three')
  await expect(messageLine(page, 'two')).toContainText('Sending')
  await expect(offline).toBeVisible()
  await send(room, 'meanwhile')
  await page.context().setOffline(false)
  await expect(messageLine(page, 'three')).toContainText('Read')
  await expect(offline).toBeHidden()
  await expect(announced(page)).toContainText('You are connected again.')
  const inOrder = ['one', 'meanwhile', 'two', 'three']
  await expect.poll(() => shownTexts(page)).toEqual(inOrder)
  await expect.poll(() => shownTexts(room)).toEqual(inOrder)

  // The server has it, and its answer is lost with the line.
  line.isDeaf = true
  await send(page, 'four')
  await expect(messageLine(room, 'four')).toBeVisible()
  await expect(messageLine(page, 'four')).toContainText('Sending')
  line.cut()
  line.isDeaf = false
  await expect(messageLine(page, 'four')).toContainText(/Sent|Read/)

  // Left in the middle: neither way leads to the server, and the page is loaded anew.
  await page.route('**/api/v7/chat/messages', (route) => route.abort())
  line.isClosed = true
  line.cut()
  await expect(offline).toBeVisible()
  await send(page, 'five')
  await page.reload()
  await expect(messageLine(page, 'five')).toContainText('Sending')
  expect((await kept(request, client, dialogId)).map(({ message }) => message)).toEqual([...inOrder, 'four'])
  line.isClosed = false
  await page.unroute('**/api/v7/chat/messages')
  await expect(messageLine(page, 'five')).toContainText(/Sent|Read/)

  // Refused: it says so, and waits for its writer.
  await expect.poll(() => line.isOpen).toBe(true)
  line.isClosed = true
  line.cut()
  await expect(offline).toBeVisible()
  await page.route('**/api/v7/chat/messages', (route) =>
    route.fulfill({ status: 422, json: { code: 'validation_failed', message: 'This cannot be sent.' } }),
  )
  await send(page, 'six')
  await expect(messageLine(page, 'six')).toContainText('This cannot be sent.')
  await expect(announced(page)).toContainText('Your message was not sent. This cannot be sent.')
  await page.unroute('**/api/v7/chat/messages')
  await messageLine(page, 'six').getByRole('button', { name: 'Try again' }).click()
  await expect(messageLine(page, 'six')).toContainText(/Sent|Read/)

  // Leaving the chat is not being connected again.
  await expect(announced(page)).not.toContainText('You are connected again.')
  await page.getByRole('link', { name: 'Hearth' }).first().click()
  await expect(page).toHaveURL('/')
  await expect(offline).toHaveCount(0)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  expect(await announced(page).innerText()).not.toContain('You are connected again.')
  await page.goBack()
  await expect(offline).toBeVisible()
  line.isClosed = false

  const all = [...inOrder, 'four', 'five', 'six']
  await expect.poll(() => shownTexts(room)).toEqual(all)
  await expect.poll(() => shownTexts(page)).toEqual(all)
  const server = await kept(request, client, dialogId)
  expect(server.map(({ message }) => message)).toEqual(all)
  expect(server.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('a tab in the background is connected again as soon as the network is back', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/ERR_INTERNET_DISCONNECTED|WebSocket/)
  const account = await register(request)
  const grace = await demoTherapist(request)
  const client = await chatter(request, account, 'client')
  const therapist = await chatter(request, grace, 'therapist')
  const dialogId = await openDialog(request, client, grace.id)
  await signIn(page, account)
  await page.goto('/chats')
  await expect(page.getByText('No messages yet')).toBeVisible()
  await write(request, therapist, dialogId, 'before')
  await expect(page).toHaveTitle(/^\(1\) /)
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))`)
  await page.context().setOffline(true)
  await write(request, therapist, dialogId, 'meanwhile')
  await page.context().setOffline(false)
  await expect(page).toHaveTitle(/^\(2\) /)
  await write(request, therapist, dialogId, 'afterwards')
  await expect(page).toHaveTitle(/^\(3\) /)
})

test('what waited when a page was left is sent, though the chat’s sign-in fails at first', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/ERR_INTERNET_DISCONNECTED|WebSocket|status of 503/)
  const account = await register(request)
  const grace = await demoTherapist(request)
  const client = await chatter(request, account, 'client')
  const dialogId = await openDialog(request, client, grace.id)
  await signIn(page, account)
  // A socket that stands is not cut by being offline.
  await page.routeWebSocket(/\/socket\//, (socket) => socket.close())
  await page.goto(`/chat?dialogId=${dialogId}`)
  await expect(page.getByPlaceholder('Enter your message')).toBeVisible()
  await page.context().setOffline(true)
  await send(page, 'Is it still there?')
  await expect(messageLine(page, 'Is it still there?')).toContainText('Sending')
  // A phone puts the tab away, and opens it later with what it keeps; its token of the chat has ended.
  const keptInTab = await page.evaluate<[string, string][]>('Object.entries(sessionStorage)')
  const later = await page.context().newPage()
  await page.close()
  await later.addInitScript((entries) => {
    for (const [key, value] of entries) sessionStorage.setItem(key, value)
    sessionStorage.removeItem('chatSession')
  }, keptInTab)
  let isRefused = false
  await later.route('**/api/v7/client/profile/show', async (route) => {
    const isFirst = !isRefused
    isRefused = true
    if (isFirst) await route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Not now.' } })
    else await route.continue()
  })
  await later.context().setOffline(false)
  await later.goto(`/chat?dialogId=${dialogId}`)
  await expect.poll(() => kept(request, client, dialogId)).toMatchObject([{ message: 'Is it still there?' }])
  expect(isRefused).toBe(true)
})

test('signing out or closing the window asks before what waits to be sent is lost', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/ERR_FAILED|WebSocket/)
  const account = await register(request)
  const grace = await demoTherapist(request)
  const client = await chatter(request, account, 'client')
  const dialogId = await openDialog(request, client, grace.id)
  // Neither way leads to the server.
  await page.routeWebSocket(/\/socket\//, (socket) => socket.close())
  await page.route('**/api/v7/chat/messages', (route) => route.abort())
  await signIn(page, account)
  await page.goto(`/chat?dialogId=${dialogId}`)
  await send(page, 'I would rather not lose this')
  await expect(messageLine(page, 'I would rather not lose this')).toContainText('Sending')

  // Another page loses nothing.
  await page.getByRole('link', { name: 'Hearth' }).first().click()
  await expect(page).toHaveURL('/')
  const leave = async () => {
    await page.getByRole('button', { name: /account$/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
  }
  await leave()
  const question = page.getByRole('alertdialog', { name: 'Leave before your message is sent?' })
  await question.getByRole('button', { name: 'Stay here' }).click()
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()

  await page.unroute('**/api/v7/chat/messages')
  await expect.poll(async () => (await kept(request, client, dialogId)).length).toBe(1)
  await leave()
  await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible()
  await expect(question).toBeHidden()
})

test('a chat of a thousand messages holds few elements, and what is read stays in its place', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/WebSocket|status of 422|ERR_INTERNET_DISCONNECTED/)
  const account = await register(request, 'Sam Winter')
  const client = await chatter(request, account, 'client')
  const dialogId = await openDialog(request, client, (await demoTherapist(request)).id)
  const numbers = Array.from({ length: 1000 }, (_, at) => at)
  const words = 'and it goes on like this for a while, as things do when somebody begins to tell'
  // Around 500, where one page begins, short ones follow those that take one line where two were expected.
  const wordsOf = (at: number) => {
    if (at < 450 || at >= 550) return words.slice(0, (at * 37) % 79)
    return at < 500 ? words.slice(0, 42) : ''
  }
  for (let from = 0; from < numbers.length; from += 50) {
    await Promise.all(
      numbers
        .slice(from, from + 50)
        .map((at) => write(request, client, dialogId, `Thought ${at} ${wordsOf(at)}`)),
    )
  }
  await signIn(page, account)
  await page.goto(`/chat?dialogId=${dialogId}`)
  const box = messageBox(page)
  await expect(box.getByRole('listitem').first()).toBeVisible()
  const elements = () => page.locator('main *').count()
  const rows = () => box.getByRole('listitem').count()
  /** Asks about the box that scrolls. */
  const ask = <T>(question: string) =>
    page.evaluate<T>(`{
      const box = document.querySelector('section[aria-label^="Messages with"]')
      const rowsOf = () => [...box.querySelectorAll('[data-row]')].filter((row) => row.querySelector('p'))
      ${question}
    }`)
  const isAtStart = () => ask<boolean>('box.scrollTop === 0')
  const isAtEnd = () => ask<boolean>('box.scrollHeight - box.scrollTop - box.clientHeight < 2')
  await expect.poll(isAtEnd).toBe(true)
  // A field that grows takes room from the messages, and the last one stays in view.
  const latest = page.getByRole('button', { name: 'Latest messages' })
  await page.getByPlaceholder('Enter your message').fill('And then\n'.repeat(9))
  await expect.poll(isAtEnd).toBe(true)
  await expect(latest).toHaveCount(0)
  await page.getByPlaceholder('Enter your message').fill('')
  /** Asks once the rows have rested for three frames: before that, some may have come that are not measured. */
  const atRest = <T>(answer: string) =>
    ask<T>(`
      new Promise((done) => {
        let [before, rested] = ['', 0]
        const look = () => {
          const now = box.scrollTop + ' ' + box.scrollHeight
          rested = now === before ? rested + 1 : 0
          before = now
          if (rested < 3) return requestAnimationFrame(look)
          const rows = rowsOf()
          done(${answer})
        }
        look()
      })`)
  const settle = () => atRest('undefined')
  /** The first message that is seen, and where any stands on the screen. */
  const firstSeen = () =>
    atRest<[string, number]>(`(() => {
      const first = rows.find((row) => row.getBoundingClientRect().top >= box.getBoundingClientRect().top)
      return [first.dataset.row, first.getBoundingClientRect().bottom]
    })()`)
  const placeOf = (row: string) =>
    atRest<number>(`rows.find((row) => row.dataset.row === '${row}').getBoundingClientRect().bottom`)

  // Scrolling up, older ones are put in front time and again: at once, a while after they were requested, or once the
  // reader rests at the first one.
  let loads = 0
  const resting = Promise.withResolvers<void>()
  await page.route('**/api/v7/chat/messages?*before=*', async (route) => {
    const response = await route.fetch()
    if (loads === 4) await resting.promise
    await new Promise((resolve) => setTimeout(resolve, [0, 40, 300][loads % 3]))
    await route.fulfill({ response })
  })
  page.on('response', (response) => {
    if (response.url().includes('before=')) loads++
  })
  await box.focus()
  let most = 0
  for (let step = 0; step < 200; step++) {
    await ask('box.scrollBy(0, -900)')
    const [row, before] = await firstSeen()
    if (loads === 4 && (await isAtStart())) {
      resting.resolve()
      await expect.poll(isAtStart).toBe(false)
    }
    // Older messages that were requested may arrive now.
    await expect.poll(async () => Math.abs((await placeOf(row)) - before)).toBeLessThan(3)
    most = Math.max(most, await rows())
    if (
      (await isAtStart()) &&
      (await page.getByText('Your chat with Grace Holloway starts here.').isVisible())
    )
      break
  }
  await expect(page.getByText('Your chat with Grace Holloway starts here.')).toBeVisible()
  expect(loads).toBe(9)
  expect(most).toBeGreaterThan(30)
  expect(most).toBeLessThanOrEqual(90)
  expect(await elements()).toBeLessThan(1000)
  const server = await kept(request, client, dialogId)
  expect(server.at(-1)?.seq).toBe(1000)

  // By keyboard from one end to the other.
  await box.focus()
  await page.keyboard.press('End')
  await expect.poll(isAtEnd).toBe(true)
  await expect(messageLine(page, server.at(-1)?.message ?? '').last()).toBeVisible()
  await expect(box).toBeFocused()
  expect(await rows()).toBeLessThanOrEqual(90)
  await page.keyboard.press('Home')
  await expect.poll(isAtStart).toBe(true)
  await expect(messageLine(page, 'Thought 0').first()).toBeVisible()
  await latest.click()
  await expect.poll(isAtEnd).toBe(true)
  await expect(latest).toHaveCount(0)
  // What is written from far above leads to its end, and stays there.
  await box.focus()
  await page.keyboard.press('Home')
  await expect.poll(isAtStart).toBe(true)
  await send(page, 'Written from far above')
  await expect(messageLine(page, 'Written from far above')).toContainText('Sent')
  await expect.poll(isAtEnd).toBe(true)
  await expect(latest).toHaveCount(0)

  // What is written without a network stays in view as well, above a field that becomes smaller again.
  const offline = messageLine(page, 'Written without a network')
  await page.context().setOffline(true)
  await send(page, 'Written without a network. '.repeat(12))
  await expect(page.getByText('You are not connected at the moment.')).toBeVisible()
  await settle()
  await expect(latest).toHaveCount(0)
  await expect(offline).toBeInViewport({ ratio: 1 })
  await page.context().setOffline(false)
  await expect(offline).toContainText('Sent')

  // A message that failed keeps its focused button far away from it.
  await page.routeWebSocket(/\/socket\//, (socket) => {
    const line = socket.connectToServer()
    line.onMessage((frame) => {
      socket.send(frame)
      void socket.close()
      void line.close()
    })
  })
  await page.route('**/api/v7/chat/messages', (route) =>
    route.fulfill({ status: 422, json: { code: 'validation_failed', message: 'This cannot be sent.' } }),
  )
  await page.reload()
  await expect(page.getByText('You are not connected at the moment.')).toBeVisible()
  await send(page, 'Not to be sent')
  const retry = messageLine(page, 'Not to be sent').getByRole('button', { name: 'Try again' })
  await retry.focus()
  for (let step = 0; step < 5; step++) {
    await ask('box.scrollBy(0, -900)')
    await settle()
  }
  await expect(retry).toBeFocused()
  await expect(retry).not.toBeInViewport()
  await expect(latest).toBeVisible()
})

test('choosing another chat beside the open one moves the focus to its heading', async ({
  page,
  request,
}, info) => {
  const account = await register(request, 'Lee Marsh')
  const client = await chatter(request, account, 'client')
  const other = await ownPractitioner(request, info)
  const dialogId = await openDialog(request, client, (await demoTherapist(request)).id)
  await openDialog(request, client, other.id)
  await signIn(page, account)
  await page.goto(`/chat?dialogId=${dialogId}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Grace Holloway')
  await page.getByRole('main').getByRole('link', { name: other.name }).first().press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(other.name)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a message to a session’s page on a phone is unread until its place below the session is on the screen', async ({
  page,
  request,
  openContext,
}) => {
  const account = await register(request, 'Ash Kerr')
  const grace = await demoTherapist(request)
  const offer = await offerOfPractitioner(request, grace.id)
  const { session_id } = await bookByApi(request, account, offer, offer.times.at(-20) ?? '')
  const dialogId = await openDialog(request, await chatter(request, account, 'client'), grace.id)
  await page.setViewportSize({ width: 375, height: 720 })
  await signIn(page, account)
  await page.goto(`/session?appointment=${session_id}`)
  await expect(messageBox(page)).toBeVisible()
  await expect(messageBox(page)).not.toBeInViewport()

  const room = await (await openContext()).newPage()
  await signInTherapist(room, grace)
  await room.goto(`/chat?dialogId=${dialogId}`)
  await send(room, 'The door is on the left.')
  await expect(page.getByRole('log', { name: 'New messages' })).toContainText('The door is on the left.')
  await expect(unreadBadge(page)).toHaveAccessibleName('Chats 1 unread')
  // Coming back to the tab shows no more of the page.
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await send(room, 'Ring twice.')
  await expect(unreadBadge(page)).toHaveAccessibleName('Chats 2 unread')
  await expect(messageLine(room, 'Ring twice.')).toContainText('Sent')
  await expect(messageBox(room)).not.toContainText('Read')

  await messageLine(page, 'Ring twice.').scrollIntoViewIfNeeded()
  await expect(unreadBadge(page)).toHaveAccessibleName('Chats')
  await expect(messageLine(room, 'Ring twice.')).toContainText('Read')
  await send(room, 'See you then.')
  await expect(messageLine(room, 'See you then.')).toContainText('Read')
  await expect(unreadBadge(page)).toHaveAccessibleName('Chats')
})
