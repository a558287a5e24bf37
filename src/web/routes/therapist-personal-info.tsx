import { AboutYouStep } from '#web/features/practitioners/onboarding/steps/AboutYouStep.tsx'
import { DbsStep, IdentityStep } from '#web/features/practitioners/onboarding/steps/DocumentStep.tsx'
import { LanguagesStep } from '#web/features/practitioners/onboarding/steps/LanguagesStep.tsx'
import { LicencesStep } from '#web/features/practitioners/onboarding/steps/LicencesStep.tsx'
import { stages } from '#web/features/practitioners/onboarding/wizard.ts'
import { WizardLoading, WizardPage } from '#web/features/practitioners/onboarding/WizardPage.tsx'
import { requireTherapist } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import type { Route } from './+types/therapist-personal-info.ts'

const [stage] = stages

export const meta = () => [{ title: pageTitle(stage.title) }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireTherapist(request)
  return null
}

export function HydrateFallback() {
  return <WizardLoading stage={stage} />
}

export default function TherapistPersonalInfo() {
  return (
    <WizardPage
      stage={stage}
      forms={{
        about_you: AboutYouStep,
        languages: LanguagesStep,
        licences: LicencesStep,
        identity: IdentityStep,
        dbs: DbsStep,
      }}
    />
  )
}
