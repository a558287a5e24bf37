import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useEffect, useRef } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import type { ProfileStep, TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { ProgressBar } from '#web/ui/ProgressBar.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { StepPlaceProvider } from './StepForm.tsx'
import { therapistProfileQuery } from './therapist-profile.ts'
import {
  pathAfter,
  pathBefore,
  pathOfStep,
  resumePath,
  type Stage,
  stepInAddress,
  stepTitles,
} from './wizard.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

type StepFormComponent = ComponentType<{ profile: TherapistProfile }>

/** The form of each step of a stage. */
type StepForms<S extends Stage> = Record<S['steps'][number], StepFormComponent>

/**
 * One page of the wizard, a step at a time. The step is in the address, so that back and reload work; without one, it
 * goes on where the profile was left.
 */
export function WizardPage<S extends Stage>({ stage, forms }: { stage: S; forms: StepForms<S> }) {
  const [search] = useSearchParams()
  const query = useQuery(therapistProfileQuery())
  const { data: profile, error } = query
  const isEditing = search.get('isEditing') === 'true'
  const at = stepInAddress(search.get('step'), stage)

  if (!profile) {
    if (!error) return <WizardLoading stage={stage} />
    return (
      <Frame stage={stage}>
        <QueryError level={1} title="Your profile did not load" query={query} />
      </Frame>
    )
  }
  if (at === undefined) {
    const [first] = stage.steps as readonly ProfileStep[]
    const isFirstStage = pathBefore(stage, 0, isEditing) === undefined
    const path =
      !isEditing && isFirstStage ? resumePath(profile) : pathOfStep(first ?? 'about_you', isEditing)
    return <Navigate to={path} replace />
  }
  const step = (stage.steps as readonly ProfileStep[])[at]
  const Form = step && (forms as Partial<Record<ProfileStep, StepFormComponent>>)[step]
  if (!step || !Form) return <Navigate to={resumePath(profile)} replace />
  const version = profile.steps.find((each) => each.step === step)?.version ?? 0
  return (
    <Frame stage={stage} at={at}>
      <StepHeading key={step} step={step} />
      <Refusals profile={profile} step={step} />
      <StepPlaceProvider
        value={{
          step,
          profile,
          isEditing,
          nextPath: pathAfter(stage, at, isEditing),
          backPath: pathBefore(stage, at, isEditing),
        }}
      >
        {/* What was saved elsewhere and loaded fills the form anew. */}
        <Form key={`${step} ${isUploaded[step] ? '' : version}`} profile={profile} />
      </StepPlaceProvider>
    </Frame>
  )
}

/** Steps whose uploads save them while the form is open. */
const isUploaded: Partial<Record<ProfileStep, true>> = {
  identity: true,
  dbs: true,
  photo: true,
  video: true,
  insurance: true,
}

export function WizardLoading({ stage }: { stage: Stage }) {
  return (
    <Frame stage={stage}>
      <Loading label="Loading your profile" className="flex flex-col gap-5">
        <Skeleton className="h-9 w-2/3" />
        <Skeleton className="h-24" />
        <Skeleton className="h-24" />
      </Loading>
    </Frame>
  )
}

function Frame({ stage, at, children }: { stage: Stage; at?: number; children: React.ReactNode }) {
  return (
    <div className="page max-w-3xl pt-6 pb-16 sm:pt-10">
      <div className="mb-8">
        <ProgressBar
          label={at === undefined ? stage.title : `${stage.title}, step ${at + 1} of ${stage.steps.length}`}
          value={stage.percent}
        />
      </div>
      {children}
    </div>
  )
}

const leads: Partial<Record<ProfileStep, string>> = {
  about_you:
    'Clients see your title, name, gender and pronouns. Your date of birth and phone number are for us alone.',
  languages: 'Choose those in which you could hold a whole session.',
  licences: 'Clients see the body and the number once we have checked them. You can add several.',
  identity:
    'A passport, driving licence or national identity card. Only you and the people who check it can open it.',
  dbs: 'Your Disclosure and Barring Service certificate, or the equivalent of where you work. Only you and the people who check it can open it.',
  approaches: 'Clients can search by these. Choose those that you are trained in.',
  issues: 'Clients can search by these too. Fewer that you know well say more than many.',
  photo: 'A face that can be seen clearly, in daylight, is what most clients look at first.',
  bio: 'How you work, with whom, and what a first session is like. Write as you would speak to somebody who is nervous.',
  video: 'A minute of your voice helps people to decide. It is your choice.',
  insurance: 'Professional indemnity insurance. Clients see until when it is valid, never the certificate.',
  services: 'You set length and price. Clients pay exactly that, and all of it is yours.',
  locations:
    'Clients who come to see you get the address. Of practitioners who work online alone only the town is shown.',
  insurers:
    'Some clients have sessions paid by an insurer, and search for practitioners who work with theirs.',
}

/** The page's h1. It takes the focus when one comes from another step. */
function StepHeading({ step }: { step: ProfileStep }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [])
  return (
    <div className="mb-7">
      <h1 ref={heading} tabIndex={-1} className="text-3xl outline-none">
        {stepTitles[step]}
      </h1>
      {leads[step] && <p className="mt-2 text-lg text-soft">{leads[step]}</p>}
    </div>
  )
}

/** What the back office did not accept of this step, and why. */
function Refusals({ profile, step }: { profile: TherapistProfile; step: ProfileStep }) {
  const kinds: Partial<Record<ProfileStep, string>> = {
    identity: 'identity',
    dbs: 'dbs',
    insurance: 'insurance_certificate',
  }
  const refused = [
    ...profile.documents.filter((each) => each.kind === kinds[step]),
    ...(step === 'licences' ? profile.license_list : []),
  ].filter((each) => each.status === 'refused')
  return refused.map((each) => (
    <Alert
      key={'document_id' in each ? each.document_id : each.id}
      tone="warning"
      title={
        'license_number' in each
          ? `Licence ${each.license_number} was not accepted`
          : 'The document that you sent was not accepted'
      }
      className="mb-5"
    >
      {each.reason}
    </Alert>
  ))
}
