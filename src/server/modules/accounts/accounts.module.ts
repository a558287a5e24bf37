import { defineModule, type Given } from '../../module.ts'
import type { Mails } from '../mails/mails.service.ts'
import {
  accountsConfirmationMailJob,
  accountsLetterJob,
  accountsPasswordChangedMailJob,
  accountsPasswordMailJob,
  accountsWelcomeMailJob,
} from './accounts.jobs.ts'
import { createErasure } from './accounts.erasure.ts'
import { createOffice } from './accounts.office.ts'
import { accountsPersonalData } from './accounts.personal-data.ts'
import {
  accountRoutes,
  identityRoutes,
  personalDataRoutes,
  accountSettingsRoutes,
  secondFactorRoutes,
} from './accounts.routes.ts'
import { createAccounts } from './accounts.service.ts'
import { redirectToIdentity } from './identity.pages.ts'
import { createPasswords } from './passwords.ts'

export const accountsModule = defineModule('accounts', (platform: Given<{ mails: Mails }>) => {
  const { isSecure, passwordCost, contributions } = platform
  const accounts = createAccounts({
    ...platform,
    passwords: createPasswords(passwordCost),
    lookups: contributions.lookups,
  })
  const erasure = createErasure({ ...platform, accounts, personalData: contributions.personalData })
  return {
    services: { accounts, erasure, office: createOffice(platform) },
    routes(serve) {
      accountRoutes(serve, accounts, isSecure)
      identityRoutes(serve, accounts, isSecure)
      secondFactorRoutes(serve, accounts)
      accountSettingsRoutes(serve, accounts, isSecure)
      personalDataRoutes(serve, erasure)
    },
    apiPages: (api) => redirectToIdentity(api, accounts.identities, isSecure),
    jobs(handle) {
      handle(accountsPasswordMailJob, ({ account_id }) => accounts.sendPasswordMail(account_id))
      handle(accountsWelcomeMailJob, ({ account_id }) => accounts.sendWelcomeMail(account_id))
      handle(accountsConfirmationMailJob, ({ account_id }) => accounts.sendConfirmationMail(account_id))
      handle(accountsPasswordChangedMailJob, ({ account_id }) => accounts.sendPasswordChangedMail(account_id))
      handle(accountsLetterJob, ({ letter_id }) => accounts.sendLetter(letter_id))
    },
    async tidy() {
      await accounts.tidy()
      await erasure.endRetention()
    },
    personalData: accountsPersonalData({ ...platform, accounts, referrers: contributions.personalData }),
  }
})
