import { AboutYouStep } from '#web/features/practitioners/onboarding/steps/AboutYouStep.tsx'
import { DbsStep, IdentityStep } from '#web/features/practitioners/onboarding/steps/DocumentStep.tsx'
import { LanguagesStep } from '#web/features/practitioners/onboarding/steps/LanguagesStep.tsx'
import { LicencesStep } from '#web/features/practitioners/onboarding/steps/LicencesStep.tsx'
import { stages } from '#contract/practitioners/profile-steps.ts'
import { stepPageTitle } from '#web/features/practitioners/onboarding/wizard.ts'
import { WizardLoading, WizardPage } from '#web/features/practitioners/onboarding/WizardPage.tsx'
import { pageTitle } from '#web/lib/site.ts'

const [stage] = stages

export const meta = ({ location }: { location: { search: string } }) => [
  { title: pageTitle(stepPageTitle(stage, location.search)) },
]

export const clientLoader = () => null

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
