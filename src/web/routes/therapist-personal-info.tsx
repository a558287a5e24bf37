import { AboutYouStep } from '#web/features/practice/steps/AboutYouStep.tsx'
import { DbsStep, IdentityStep } from '#web/features/practice/steps/DocumentStep.tsx'
import { LanguagesStep } from '#web/features/practice/steps/LanguagesStep.tsx'
import { LicencesStep } from '#web/features/practice/steps/LicencesStep.tsx'
import { stages } from '#web/features/practice/wizard.ts'
import { WizardLoading, WizardPage } from '#web/features/practice/WizardPage.tsx'
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
