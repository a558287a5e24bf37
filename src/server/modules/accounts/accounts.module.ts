import { hours } from '../../clock.ts'
import { createSlidingLimit } from '../../http/sliding-limit.ts'
import { defineModule, type Given } from '../../module.ts'
import type { Mails } from '../mails/mails.service.ts'
import { aboutHealth, createConsents } from './accounts.consents.ts'
import { createErasure } from './accounts.erasure.ts'
import { createAdminMails } from './accounts.admin-mails.ts'
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
  const consents = createConsents(platform)
  const accounts = createAccounts({
    ...platform,
    consents,
    passwords: createPasswords(passwordCost),
    refreshes: createSlidingLimit({ hits: 120, window: hours(1) }, platform),
    lookups: contributions.lookups,
  })
  const erasure = createErasure({ ...platform, accounts, personalData: contributions.personalData })
  return {
    services: {
      accounts,
      erasure,
      adminMails: createAdminMails(platform),
      consents,
    },
    routes(serve) {
      accountRoutes(serve, accounts, isSecure)
      identityRoutes(serve, accounts, isSecure)
      secondFactorRoutes(serve, accounts)
      accountSettingsRoutes(serve, accounts, isSecure)
      personalDataRoutes(serve, erasure)
    },
    apiPages: (api) => redirectToIdentity(api, accounts.identities, isSecure),
    on: {
      // A stranger's: the holder is asked.
      'account.reclaimed': (tx, { accountId }) => consents.withdraw(tx, aboutHealth(accountId)),
      'practitioner.suspended': (tx, { accountId }) => accounts.endDevices(tx, accountId),
      'practitioner.closed': (tx, { accountId }) => accounts.endDevices(tx, accountId),
    },
    async tidy() {
      await accounts.tidy()
      await erasure.endRetention()
    },
    personalData: accountsPersonalData({ ...platform, accounts, referrers: contributions.personalData }),
  }
})
