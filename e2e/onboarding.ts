import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { mp4, pdf, photoWithPosition } from '../test/upload-samples.ts'
import { expect } from './fixtures.ts'
import { newEmail, password } from './people.ts'

/** Ticks a box that is drawn over by its label. */
export async function tick(box: Locator): Promise<void> {
  await box.check({ force: true })
}

/** Signs up as a practitioner in the browser, and stands before the three steps. */
export async function joinAsTherapist(page: Page, name: [string, string]): Promise<{ email: string }> {
  const email = newEmail()
  await page.goto('/therapist/sign-up')
  await page.getByLabel('First name').fill(name[0])
  await page.getByLabel('Last name').fill(name[1])
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await tick(page.getByRole('checkbox', { name: /^I accept the Terms/ }))
  await page.getByRole('button', { name: 'Create an account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Your profile in three steps' })).toBeVisible()
  return { email }
}

export const nextStep = (page: Page) => page.getByRole('button', { name: 'Next step' }).click()
export const stepTitle = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

/** Picks an entry of a long list by typing. */
export async function pickFrom(page: Page, label: string, typed: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(typed)
  await page.getByRole('option', { name: option, exact: true }).click()
}

export const files = {
  passport: async () => ({ name: 'passport.jpg', mimeType: 'image/jpeg', buffer: await photoWithPosition() }),
  dbs: async () => ({ name: 'dbs.pdf', mimeType: 'application/pdf', buffer: pdf(2000) }),
  certificate: async () => ({ name: 'certificate.pdf', mimeType: 'application/pdf', buffer: pdf(3000) }),
  photo: async () => ({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await photoWithPosition(900, 1200) }),
  /** A second of video that plays. */
  recording: () => ({
    name: 'call.webm',
    mimeType: 'video/webm',
    buffer: readFileSync(new URL('../test/samples/recorded-by-chromium.webm', import.meta.url)),
  }),
  video: async () => ({ name: 'hello.mp4', mimeType: 'video/mp4', buffer: mp4(200_000) }),
  captions: () => ({
    name: 'hello.vtt',
    mimeType: 'text/vtt',
    buffer: Buffer.from('WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nHello, I am Mary.\n'),
  }),
}

/** Adds a service to the list; length and price stay as they are suggested unless given. */
export async function addService(
  page: Page,
  service: { type: string; format: 'Online' | 'Face-to-face'; minutes?: string; pounds?: string },
): Promise<void> {
  await page.getByRole('button', { name: 'Add a service' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a service' })
  await dialog.getByLabel('Type').selectOption(service.type)
  await tick(dialog.getByRole('radio', { name: service.format }))
  if (service.minutes) await dialog.getByLabel('Minutes').fill(service.minutes)
  if (service.pounds) await dialog.getByLabel('Pounds').fill(service.pounds)
  await dialog.getByRole('button', { name: 'Add service' }).click()
  await expect(dialog).toHaveCount(0)
}

/** What each step asks, answered; the step has to be on the screen. */
export const fillIn = {
  async aboutYou(page: Page) {
    await stepTitle(page, 'About you')
    await tick(page.getByRole('radio', { name: 'Female', exact: true }))
    await page.getByLabel('Pronouns').selectOption('she/they')
    await page.getByLabel('Academic title').selectOption('Dr.')
    await page.getByLabel('Day').fill('6')
    await page.getByLabel('Month').fill('5')
    await page.getByLabel('Year').fill('1980')
    await page.getByLabel('Phone number').fill('07400 123456')
    await pickFrom(page, 'Time zone', 'london', 'Europe/London')
  },
  async languages(page: Page) {
    await stepTitle(page, 'Languages you work in')
    await tick(page.getByRole('checkbox', { name: 'English', exact: true }))
    await tick(page.getByRole('checkbox', { name: 'Welsh', exact: true }))
  },
  async licences(page: Page, number = '123456') {
    await stepTitle(page, 'Your licences and registrations')
    await page.getByLabel('Specialisation').selectOption('Counsellor')
    await page.getByLabel('Licensing body').selectOption({ index: 7 })
    await page.getByLabel('Licence number').fill(number)
    await page.getByLabel('Years of experience').fill('12')
  },
  async upload(page: Page, title: string, label: string, file: Awaited<ReturnType<typeof files.dbs>>) {
    await stepTitle(page, title)
    await page.getByLabel(label, { exact: true }).setInputFiles(file)
    await expect(page.getByText(`${file.name} has arrived.`)).toBeVisible()
  },
  async approaches(page: Page) {
    await stepTitle(page, 'How you work')
    await tick(page.getByRole('checkbox', { name: /CBT/ }).first())
  },
  async issues(page: Page) {
    await stepTitle(page, 'What you help with')
    await tick(page.getByRole('checkbox').first())
    await tick(page.getByRole('checkbox', { name: 'Adults (18 to 64)' }))
  },
  async bio(page: Page) {
    await stepTitle(page, 'Your bio')
    await page.getByLabel('In a sentence or two').fill('A calm place to think, in English and Welsh.')
    await page.getByLabel('Bio', { exact: true }).fill('I work with people who feel stuck. '.repeat(60))
  },
  async insurance(page: Page) {
    await stepTitle(page, 'Your professional insurance')
    await tick(page.getByRole('radio', { name: 'Yes' }))
    await page.getByLabel('Day').fill('1')
    await page.getByLabel('Month').fill('5')
    await page.getByLabel('Year').fill(String(new Date().getFullYear() + 1))
    await fillIn.upload(
      page,
      'Your professional insurance',
      'Insurance certificate',
      await files.certificate(),
    )
  },
  async services(page: Page) {
    await stepTitle(page, 'What you offer')
    await addService(page, { type: 'Individual Therapy', format: 'Online', minutes: '50', pounds: '65.50' })
    await addService(page, { type: 'Individual Therapy', format: 'Face-to-face' })
    await page.getByRole('radio', { name: 'Behind my own link' }).check()
    await page.getByLabel('Link to your online room').fill('https://rooms.example.test/mary')
  },
  async locations(page: Page) {
    await stepTitle(page, 'Where you see people')
    await page.getByLabel('Name', { exact: true }).fill('Rosewood House')
    await page.getByLabel('Number', { exact: true }).fill('12')
    await page.getByLabel('Street', { exact: true }).fill('Park Row')
    await page.getByLabel('Town or city').fill('Leeds')
    await page.getByLabel('Postcode', { exact: true }).fill('LS1 5HD')
  },
  async insurers(page: Page) {
    await stepTitle(page, 'Insurers')
    await tick(page.getByRole('checkbox', { name: /^I work with insurers/ }))
    await pickFrom(page, 'Insurers you work with', 'bup', 'Bupa')
  },
}

/** The whole profile, from the first step to the preview. */
export async function fillProfile(page: Page, licenceNumber?: string): Promise<void> {
  await page.goto('/therapist/personal-info?step=1')
  await fillIn.aboutYou(page)
  await nextStep(page)
  await fillIn.languages(page)
  await nextStep(page)
  await fillIn.licences(page, licenceNumber)
  await nextStep(page)
  await fillIn.upload(page, 'Who you are', 'Identity document', await files.passport())
  await nextStep(page)
  await fillIn.upload(page, 'Your DBS check', 'DBS certificate', await files.dbs())
  await nextStep(page)
  await fillIn.approaches(page)
  await nextStep(page)
  await fillIn.issues(page)
  await nextStep(page)
  await fillIn.upload(page, 'Your photo', 'Photo', await files.photo())
  await nextStep(page)
  await fillIn.bio(page)
  await nextStep(page)
  await stepTitle(page, 'An introduction on video')
  await tick(page.getByRole('radio', { name: /^I will upload my own/ }))
  await fillIn.upload(page, 'An introduction on video', 'Your video', await files.video())
  await fillIn.upload(page, 'An introduction on video', 'Captions', files.captions())
  await page.getByLabel('What you say, in words').fill('Hello, I am Mary. This is how I work.')
  await nextStep(page)
  await fillIn.insurance(page)
  await nextStep(page)
  await fillIn.services(page)
  await nextStep(page)
  await fillIn.locations(page)
  await nextStep(page)
  await fillIn.insurers(page)
  await nextStep(page)
  await stepTitle(page, 'Profile preview')
}
