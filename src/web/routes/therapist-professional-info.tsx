import { BioStep } from '#web/features/practitioners/onboarding/steps/BioStep.tsx'
import { ApproachesStep, IssuesStep } from '#web/features/practitioners/onboarding/steps/ChoiceSteps.tsx'
import { InsuranceStep } from '#web/features/practitioners/onboarding/steps/InsuranceStep.tsx'
import { PhotoStep } from '#web/features/practitioners/onboarding/steps/PhotoStep.tsx'
import { VideoStep } from '#web/features/practitioners/onboarding/steps/VideoStep.tsx'
import { stages } from '#contract/practitioners/profile-steps.ts'
import { stepPageTitle } from '#web/features/practitioners/onboarding/wizard.ts'
import { WizardLoading, WizardPage } from '#web/features/practitioners/onboarding/WizardPage.tsx'
import { pageTitle } from '#web/lib/site.ts'

const stage = stages[1]

export const meta = ({ location }: { location: { search: string } }) => [
  { title: pageTitle(stepPageTitle(stage, location.search)) },
]

export const clientLoader = () => null

export function HydrateFallback() {
  return <WizardLoading stage={stage} />
}

export default function TherapistProfessionalInfo() {
  return (
    <WizardPage
      stage={stage}
      forms={{
        approaches: ApproachesStep,
        issues: IssuesStep,
        photo: PhotoStep,
        bio: BioStep,
        video: VideoStep,
        insurance: InsuranceStep,
      }}
    />
  )
}
