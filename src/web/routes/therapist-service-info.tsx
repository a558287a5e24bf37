import { InsurersStep } from '#web/features/practitioners/onboarding/steps/InsurersStep.tsx'
import { LocationsStep } from '#web/features/practitioners/onboarding/steps/LocationsStep.tsx'
import { ServicesStep } from '#web/features/practitioners/onboarding/steps/ServicesStep.tsx'
import { stages } from '#contract/practitioners/profile-steps.ts'
import { stepPageTitle } from '#web/features/practitioners/onboarding/wizard.ts'
import { WizardLoading, WizardPage } from '#web/features/practitioners/onboarding/WizardPage.tsx'
import { pageTitle } from '#web/lib/site.ts'

const stage = stages[2]

export const meta = ({ location }: { location: { search: string } }) => [
  { title: pageTitle(stepPageTitle(stage, location.search)) },
]

export const clientLoader = () => null

export function HydrateFallback() {
  return <WizardLoading stage={stage} />
}

export default function TherapistServiceInfo() {
  return (
    <WizardPage
      stage={stage}
      forms={{ services: ServicesStep, locations: LocationsStep, insurers: InsurersStep }}
    />
  )
}
