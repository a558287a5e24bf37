import type { Page } from '@playwright/test'
import { signInDemoAdmin } from './admin.ts'
import { expect, test } from './fixtures.ts'
import { type FormWalk, walkForm } from './forms.ts'
import { pickFrom } from './onboarding.ts'
import { password, register, signIn } from './people.ts'
import { registerTherapist, signInTherapist } from './therapists.ts'

/*
 * Forms that a person opens by an address. Dialogs and forms of a certain state are walked where a journey opens them:
 * `walkForm` in other specs. A structure test holds every form against both.
 */

type Row = { form: string; path: string; prepare?(page: Page): Promise<unknown>; inDialog?: true } & Omit<
  FormWalk,
  'within'
>

const email = 'someone@example.test'
const accept = 'I accept the Terms and Conditions and have read the Privacy Policy'

const entrances: Row[] = [
  {
    form: 'features/accounts/SignInForm',
    path: '/sign-in',
    submit: 'Log in',
    fields: [['Email', email], ['Password']],
  },
  {
    form: 'features/accounts/SignUpForm',
    path: '/sign-up',
    submit: 'Create an account',
    fields: [
      ['Name', 'Robin'],
      ['Email', email],
      ['Password', password],
      ['I am 18 or over', 'tick'],
      [accept, 'tick'],
      [/^I agree that Hearth uses/],
    ],
  },
  {
    form: 'features/accounts/TherapistSignUpForm',
    path: '/therapist/sign-up',
    submit: 'Create an account',
    fields: [
      ['First name', 'Mary'],
      ['Last name', 'Okafor'],
      ['Email', email],
      ['Password', password],
      [accept],
    ],
  },
  {
    form: 'features/accounts/ForgotPasswordForm',
    path: '/forgot-password',
    submit: 'Send me a link',
    fields: [['Email']],
  },
  {
    form: 'features/accounts/ResetPasswordForm',
    path: '/reset-password?token=made-up&email=someone%40example.test',
    prepare: (page) => page.getByLabel('New password again').fill('another one'),
    submit: 'Save new password',
    fields: [['New password', password], ['New password again']],
  },
  {
    form: 'features/accounts/ReferralForm',
    path: '/send-referal',
    submit: 'Confirm referral code',
    fields: [['Referral code']],
  },
  {
    form: 'features/back-office/AdminSignInForm',
    path: '/admin/sign-in',
    submit: 'Log in',
    fields: [['Email', email], ['Password']],
  },
]

const clients: Row[] = [
  {
    form: 'features/accounts/NameForm',
    path: '/account/name',
    prepare: (page) => page.getByLabel('Name').fill(''),
    submit: 'Save name',
    fields: [['Name']],
  },
  {
    form: 'features/accounts/EmailForm',
    path: '/account/email',
    submit: 'Send me the link',
    fields: [['New email', email], ['Your password']],
  },
  {
    form: 'features/accounts/PasswordForm',
    path: '/account/password',
    prepare: (page) => page.getByLabel('New password again').fill('another one'),
    submit: 'Save new password',
    fields: [['Current password', password], ['New password', 'seven slow herons'], ['New password again']],
  },
  {
    form: 'features/accounts/DeleteAccount',
    path: '/account/delete',
    submit: 'Delete my account',
    fields: [['Your password', password], ['I understand that this cannot be undone']],
  },
  {
    form: 'features/payments/OwnCardForm',
    path: '/add-card',
    submit: 'Add card',
    fields: [
      ['Card number', '4242424242424242'],
      ['Expiry date', '1234'],
      ['Security code', '123'],
      [/^Remember the card for the next sessions/],
    ],
  },
]

const step = 'Next step'
const wizard = 'features/practitioners/onboarding/steps'
const practitioners: Row[] = [
  {
    form: 'features/accounts/TherapistNameForm',
    path: '/therapist/account/name',
    prepare: async (page) => {
      await page.getByLabel('First name').fill('')
      await page.getByLabel('Last name').fill('')
    },
    submit: 'Save name',
    fields: [['First name', 'Mary'], ['Last name']],
  },
  {
    form: 'features/availability/schedule/TimeOffForm',
    path: '/therapist/calendar',
    submit: 'Add time off',
    fields: [['First day']],
  },
  {
    form: `${wizard}/AboutYouStep`,
    path: '/therapist/personal-info?step=1',
    async prepare(page) {
      for (const name of ['Country code', 'Time zone']) {
        const box = page.getByRole('combobox', { name })
        await box.focus()
        await box.press('Escape')
        await box.press('Escape')
        await expect(box).toHaveValue('')
      }
    },
    submit: step,
    fields: [
      [/./, 'tick'],
      [
        'Day',
        async (within) => {
          await within.getByLabel('Day').fill('6')
          await within.getByLabel('Month').fill('5')
          await within.getByLabel('Year').fill('1980')
        },
      ],
      [
        'Country code',
        (within) => pickFrom(within.page(), 'Country code', 'kingdom', 'United Kingdom (+44)'),
      ],
      ['Phone number', '07400 123456'],
      ['Time zone'],
    ],
  },
  {
    form: `${wizard}/LanguagesStep`,
    path: '/therapist/personal-info?step=2',
    submit: step,
    fields: [['Search the languages']],
  },
  {
    form: `${wizard}/LicencesStep`,
    path: '/therapist/personal-info?step=3',
    submit: step,
    fields: [
      ['Specialisation', (within) => within.getByLabel('Specialisation').selectOption({ index: 1 })],
      ['Licensing body', (within) => within.getByLabel('Licensing body').selectOption({ index: 1 })],
      ['Licence number', '123456'],
      ['Years of experience'],
    ],
  },
  {
    form: `${wizard}/DocumentStep`,
    path: '/therapist/personal-info?step=4',
    submit: step,
    fields: [['Identity document']],
  },
  {
    form: `${wizard}/ChoiceSteps`,
    path: '/therapist/professional-info?step=2',
    submit: step,
    fields: [[/./, 'tick'], [/./]],
  },
  {
    form: `${wizard}/PhotoStep`,
    path: '/therapist/professional-info?step=3',
    submit: step,
    fields: [['Photo']],
  },
  {
    form: `${wizard}/BioStep`,
    path: '/therapist/professional-info?step=4',
    submit: step,
    fields: [['In a sentence or two', 'A calm place to think.'], ['Bio']],
  },
  {
    form: `${wizard}/VideoStep`,
    path: '/therapist/professional-info?step=5',
    submit: step,
    fields: [[/^I will upload my own/]],
  },
  {
    form: `${wizard}/InsuranceStep`,
    path: '/therapist/professional-info?step=6',
    prepare: (page) => page.getByRole('radio', { name: 'Yes' }).check(),
    submit: step,
    fields: [['Insurance certificate']],
  },
  {
    form: `${wizard}/ServicesStep`,
    path: '/therapist/service-info?step=1',
    submit: step,
    fields: [['Add a service']],
  },
  {
    form: `${wizard}/ServiceDialog`,
    path: '/therapist/service-info?step=1',
    async prepare(page) {
      await page.getByRole('button', { name: 'Add a service' }).click()
      await page.getByLabel('Minutes').fill('')
      await page.getByLabel('Pounds').fill('')
    },
    inDialog: true,
    submit: 'Add service',
    fields: [
      ['Type', (within) => within.getByLabel('Type').selectOption({ index: 1 })],
      ['Online', 'tick'],
      ['Minutes', '50'],
      ['Pounds'],
    ],
  },
  {
    form: `${wizard}/LocationsStep`,
    path: '/therapist/service-info?step=2',
    async prepare(page) {
      await page.getByRole('button', { name: 'Add a place' }).click()
      await page.getByLabel('Country').fill('')
    },
    submit: step,
    fields: [
      ['Name', 'Rosewood House'],
      ['Number', '12'],
      ['Street', 'Park Row'],
      ['Town or city', 'Leeds'],
      ['Postcode', 'LS1 5HD'],
      ['Country'],
    ],
  },
  {
    form: `${wizard}/InsurersStep`,
    path: '/therapist/service-info?step=3',
    prepare: (page) => page.getByRole('checkbox', { name: /^I work with insurers/ }).check(),
    submit: step,
    fields: [['Insurers you work with']],
  },
]

test.use({ viewport: { width: 375, height: 667 } })

test('the forms of the entrances lead to each wrong field', async ({ page }) => {
  await walkAll(page, entrances)
})

test("a client's forms lead to each wrong field", async ({ page, request }) => {
  await signIn(page, await register(request))
  await walkAll(page, clients)
})

test("a practitioner's forms lead to each wrong field", async ({ page, request }) => {
  await signInTherapist(page, await registerTherapist(request))
  await walkAll(page, practitioners)
})

test("an admin's forms lead to each wrong field", async ({ page, request }) => {
  await signInDemoAdmin(page, request)
  await page.goto('/admin/second-factor')
  await page.getByRole('button', { name: 'Set up the app' }).click()
  await walkForm(page, 'features/back-office/SecondFactor', { submit: 'Turn it on', fields: [['Code']] })
  await page.goto('/admin?show=all')
  await page.getByRole('list', { name: 'Practitioners' }).getByRole('link').first().click()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Close for good' }).click()
  await walkForm(page, 'features/back-office/CloseDialog', {
    within: dialog,
    submit: 'Close for good',
    fields: [['Reason', 'They have retired.'], ['I know that this cannot be undone.']],
  })
})

test('what is typed as soon as a wrong field has the focus stays in that field', async ({ page }) => {
  // As on a busy phone: keys come before what waits for its time.
  await page.addInitScript(`
    const { setTimeout } = window
    window.setTimeout = (act, wait, ...rest) => setTimeout(act, Math.max(wait ?? 0, 150), ...rest)
  `)
  await page.goto('/sign-up')
  await expect(page.getByRole('button', { name: 'Create an account' })).toBeEnabled()
  await page.getByRole('button', { name: 'Create an account' }).click()
  const name = page.getByLabel('Name')
  await expect(name).toBeFocused()
  await page.keyboard.type('Robin Vale', { delay: 30 })
  await expect(name).toHaveValue('Robin Vale')
  await expect(name).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveValue('')
})

async function walkAll(page: Page, rows: readonly Row[]): Promise<void> {
  for (const { form, path, prepare, inDialog, ...walk } of rows) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await prepare?.(page)
    const within = page.getByRole(inDialog ? 'dialog' : 'main')
    await expect(within.getByRole('button', { name: walk.submit })).toBeEnabled()
    await walkForm(page, form, { ...walk, within })
  }
}
