import { minutes } from '../../clock.ts'
import { createSlidingLimit } from '../../http/sliding-limit.ts'
import { defineModule, type Given } from '../../module.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Mails } from '../mails/mails.service.ts'
import { dashboardRoutes } from './dashboard/dashboard.routes.ts'
import { createDashboard } from './dashboard/dashboard.ts'
import { createClosedProfiles } from './documents/closed-profiles.ts'
import { createDocuments } from './documents/documents.service.ts'
import { showFiles } from './documents/files.pages.ts'
import { createPractitionerAccount } from './practitioner-account.ts'
import { onboardingRoutes } from './onboarding/onboarding.routes.ts'
import { createOnboarding } from './onboarding/onboarding.service.ts'
import { practitionersRemindersJob } from './practitioners.jobs.ts'
import { practitionerAccountRoutes, practitionerRoutes } from './practitioners.routes.ts'
import { createPractitioners } from './practitioners.service.ts'
import { profileDashboard } from './dashboard/profile.dashboard.ts'
import { createProfileViews } from './profile-views.ts'
import { createVetting } from './vetting/vetting.service.ts'

export const practitionersModule = defineModule(
  'practitioners',
  (platform: Given<{ mails: Mails; accounts: Accounts }>) => {
    const { clock, contributions } = platform
    const practitioners = createPractitioners({ ...platform, lookups: contributions.lookups })
    const deps = { ...platform, practitioners }
    const practitionerAccount = createPractitionerAccount(deps)
    const onboarding = createOnboarding(deps)
    const vetting = createVetting(deps)
    const documents = createDocuments({ ...deps, scanner: platform.virusScanner, onboarding })
    const closedProfiles = createClosedProfiles(deps)
    const dashboard = createDashboard({
      ...deps,
      parts: contributions.dashboardParts,
      tasks: contributions.dashboardTasks,
    })
    const viewsPerAddress = createSlidingLimit({ hits: 1, window: minutes(30) }, { clock, rateLimitScale: 1 })
    const profileViews = createProfileViews({ ...deps, isNew: viewsPerAddress.isFree })
    return {
      services: { practitioners, practitionerAccount, onboarding, vetting, documents },
      routes(serve) {
        practitionerRoutes(serve, practitioners)
        practitionerAccountRoutes(serve, practitionerAccount)
        onboardingRoutes(serve, onboarding, documents)
        dashboardRoutes(serve, dashboard, profileViews)
      },
      apiPages: (api) => showFiles(api, documents.open),
      jobs(handle) {
        handle(practitionersRemindersJob, async () => {
          await vetting.dropEndedProfessions()
          await vetting.remind()
        })
      },
      on: { 'therapist.registered': (tx, { accountId }) => practitioners.create(tx, accountId) },
      async tidy() {
        await closedProfiles.tidy()
        await profileViews.tidy()
        // Last: it fails while a file cannot be deleted.
        await documents.tidy()
      },
      dashboard: profileDashboard({ clock, onboarding }),
      lookups: {
        practitionerId: async (db, accountId) => (await practitioners.ofAccount(db, accountId))?.id,
      },
    }
  },
)
