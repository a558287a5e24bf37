import { defineModule, type Given } from '../../module.ts'
import {
  accountsConfirmationMailJob,
  accountsLetterJob,
  accountsPasswordChangedMailJob,
  accountsPasswordMailJob,
  accountsWelcomeMailJob,
} from './accounts.jobs.ts'
import { createLeaving } from './accounts.leaving.ts'
import { accountsPersonalData } from './accounts.personal-data.ts'
import {
  accountRoutes,
  identityRoutes,
  leavingRoutes,
  ownAccountRoutes,
  secondFactorRoutes,
} from './accounts.routes.ts'
import { createAccounts } from './accounts.service.ts'
import { redirectToIdentity } from './identity.pages.ts'
import { createPasswords } from './passwords.ts'

export const accountsModule = defineModule('accounts', (platform: Given) => {
  const { isSecure, passwordCost, contributions } = platform
  const accounts = createAccounts({ ...platform, passwords: createPasswords(passwordCost) })
  const leaving = createLeaving({ ...platform, accounts, personalData: contributions.personalData })
  return {
    services: { accounts, leaving },
    routes(serve) {
      accountRoutes(serve, accounts, isSecure)
      identityRoutes(serve, accounts, isSecure)
      secondFactorRoutes(serve, accounts)
      ownAccountRoutes(serve, accounts, isSecure)
      leavingRoutes(serve, leaving)
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
      await leaving.forgetOld()
    },
    personalData: accountsPersonalData({ ...platform, accounts }),
  }
})
