import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { pathOfStep, type ProfileStep, type Stage, type Walk } from '#contract/practitioners/profile-steps.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { ProgressBar } from '#web/ui/ProgressBar.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { forgetDraftsOfOthers } from './step-drafts.ts'
import { StepPlaceProvider } from './step-place.ts'
import { StepList } from './StepList.tsx'
import { therapistProfileQuery, versionOf } from './therapist-profile.ts'
import { pathAfter, pathBefore, refusedOf, resumePath, stepInAddress, stepTitles, walkOf } from './wizard.ts'
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
  const walk = walkOf(search)
  const at = stepInAddress(search.get('step'), stage)
  const [round, setRound] = useState(0)
  /** How many files of each step are on their way. */
  const [sending, setSending] = useState<Partial<Record<ProfileStep, number>>>({})
  const own = useRef<{ from: string; to: string }>(undefined)
  const ownId = profile?.practitioner_id
  useEffect(() => {
    if (ownId !== undefined) forgetDraftsOfOthers(ownId)
  }, [ownId])

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
    const isFirstStage = pathBefore(stage, 0, {}) === undefined
    const path =
      !walk.isEditing && isFirstStage ? resumePath(profile) : pathOfStep(first ?? 'about_you', walk)
    return <Navigate to={path} replace />
  }
  const step = (stage.steps as readonly ProfileStep[])[at]
  const Form = step && (forms as Partial<Record<ProfileStep, StepFormComponent>>)[step]
  if (!step || !Form) return <Navigate to={resumePath(profile)} replace />
  return (
    <Frame stage={stage} at={at} steps={{ step, profile, walk }}>
      <StepHeading key={`${step} ${round}`} step={step} />
      <Refusals profile={profile} step={step} />
      <StepPlaceProvider
        value={{
          step,
          profile,
          walk,
          nextPath: pathAfter(stage, at, walk),
          backPath: pathBefore(stage, at, walk),
          restart: () => setRound(round + 1),
          noteOwn: (saved) => {
            own.current = saved
          },
          isSending: (sending[step] ?? 0) > 0,
          noteSending: (isSending) =>
            setSending((all) => ({ ...all, [step]: (all[step] ?? 0) + (isSending ? 1 : -1) })),
          isOwn: ({ from, to }) => own.current?.from === from && own.current.to === to,
        }}
      >
        {/* What was saved elsewhere and loaded fills the form anew. */}
        <Form
          key={`${step} ${round} ${isUploaded[step] ? '' : versionOf(profile, step)}`}
          profile={profile}
        />
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

function Frame({
  stage,
  at,
  steps,
  children,
}: {
  stage: Stage
  at?: number
  steps?: { step: ProfileStep; profile: TherapistProfile; walk: Walk }
  children: React.ReactNode
}) {
  return (
    <div className="page pt-6 pb-16 sm:pt-10 lg:grid lg:grid-cols-[16rem_minmax(0,44rem)] lg:gap-x-14">
      <div className="mb-8">{steps && <StepList {...steps} />}</div>
      <div className="min-w-0 max-lg:mx-auto max-lg:max-w-3xl">
        <div className="mb-8">
          <ProgressBar
            label={at === undefined ? stage.title : `${stage.title}, step ${at + 1} of ${stage.steps.length}`}
            value={stage.percent}
          />
        </div>
        {children}
      </div>
    </div>
  )
}

const leads: Partial<Record<ProfileStep, string>> = {
  about_you:
    'Clients see your title, name, gender and pronouns. Only we see your date of birth and phone number.',
  languages: 'Choose the languages you could hold a whole session in.',
  licences: 'Clients see the licensing body and number once we have checked them. You can add several.',
  identity:
    'A passport, driving licence or national identity card. Only you and the people who check it can open it.',
  dbs: 'Your Disclosure and Barring Service certificate, or the equivalent where you work. Only you and the people who check it can open it.',
  approaches: 'Clients can search by these. Choose the ones you are trained in.',
  issues: 'Clients can search by these too. A few that you know well say more than many.',
  photo: 'A clear photo of your face, in daylight, is what most clients look at first.',
  bio: 'How you work, who with, and what a first session is like. Write as you would speak to someone who is nervous.',
  video: 'A minute of your voice helps people decide. It is up to you.',
  insurance: 'Professional indemnity insurance. Clients see the last day it is valid, never the certificate.',
  services: 'You set the length and the price. Clients pay exactly that, and all of it is yours.',
  locations: 'Clients who come to see you get the address. If you only work online, only your town is shown.',
  insurers:
    'Some clients’ sessions are paid for by an insurer, and they search for practitioners who work with theirs.',
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
  return refusedOf(step, profile).map((each) => (
    <Alert
      key={'document_id' in each ? each.document_id : each.id}
      tone="warning"
      title={
        'license_number' in each
          ? `Licence ${each.license_number} was not accepted`
          : 'The document you sent was not accepted'
      }
      className="mb-5"
    >
      {each.reason}
    </Alert>
  ))
}
