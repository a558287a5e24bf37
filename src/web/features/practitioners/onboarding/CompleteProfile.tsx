import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import {
  pathOfStep,
  type ProfileStep,
  profileSteps,
  returnPaths,
  type ReturnPage,
} from '#contract/practitioners/profile-steps.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { isOpen } from '#web/lib/site.ts'
import { useAction } from '#web/lib/use-action.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { therapistProfileQuery, useKeepProfile } from './therapist-profile.ts'
import { draftedSteps } from './step-drafts.ts'
import { refusedOf, stepTitles } from './wizard.ts'
import { type FailedQuery, QueryError } from '#web/ui/QueryError.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { Section } from '#web/ui/Section.tsx'

const completePath = '/therapist/complete'

/** The missing fields, by step, and the button that submits the profile. */
export function CompleteProfile() {
  const query = useQuery({ ...therapistProfileQuery(), staleTime: 0 })
  const { data: profile, error } = query
  if (profile) return <Loaded profile={profile} />
  if (error) {
    return <QueryError title="This did not load" query={query} />
  }
  return <Loading label="Loading what is missing" skeleton="h-48" />
}

function Loaded({ profile }: { profile: TherapistProfile }) {
  const navigate = useLateNavigate()
  const keep = useKeepProfile()
  const complete = useAction('POST /therapist/complete', {
    async onDone(answer) {
      keep(answer)
      await navigate(isOpen(completePath) ? completePath : returnPaths.view)
    },
  })
  const missing = profile.steps.filter((step) => step.missing.length > 0)
  const [isRefused, setRefused] = useState(false)
  const list = useRef<HTMLUListElement>(null)

  if (profile.status !== 'draft' && profile.status !== 'rejected') {
    return (
      <div className="flex flex-col gap-5">
        <Standing profile={profile} />
        <Unsaved profile={profile} returnTo="preview" />
        <SendAgain profile={profile} returnTo="preview" />
      </div>
    )
  }

  return (
    <Section title={missing.length > 0 ? 'Still missing' : 'Ready to submit'} isCard>
      {profile.status === 'rejected' && <Standing profile={profile} />}
      <Unsaved profile={profile} returnTo="preview" className="mt-4" />
      {isRefused && missing[0] && (
        <Alert tone="danger" live="assertive" title="Your profile is not submitted yet" className="mt-4">
          {`Please finish what is missing first, beginning with “${stepTitles[missing[0].step]}”.`}
        </Alert>
      )}
      {missing.length > 0 ? (
        <ul ref={list} className="mt-3 flex flex-col gap-3">
          {missing.map(({ step, missing: sentences }) => (
            <li key={step}>
              <TextLink
                to={pathOfStep(step, { returnTo: 'preview' })}
                className="tappable-small font-semibold"
              >
                {stepTitles[step]}
              </TextLink>
              <p className="text-sm text-soft">{sentences.join(' ')}</p>
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-2 text-soft">
          We check your licences and documents, usually within two working days, and write to you. Clients see
          your profile once it is approved and your subscription is active.
        </p>
      )}
      {complete.error !== undefined && (
        <Alert tone="danger" live="assertive" title="Your profile has not been submitted" className="mt-4">
          {failureText(complete.error)}
        </Alert>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button
          onPress={() => {
            setRefused(missing.length > 0)
            if (missing.length === 0) complete.start()
            else list.current?.querySelector('a')?.focus()
          }}
          variant={missing.length > 0 ? 'secondary' : 'primary'}
          isPending={complete.isPending}
        >
          Complete profile
        </Button>
        {missing[0] && <ButtonLink to={pathOfStep(missing[0].step)}>Go on</ButtonLink>}
      </div>
    </Section>
  )
}

const standings: Partial<
  Record<TherapistProfile['status'], { tone: 'info' | 'success' | 'warning'; title: string; text: string }>
> = {
  submitted: {
    tone: 'info',
    title: 'Your profile is being checked',
    text: 'We will write to you as soon as that is done. You can go on changing it meanwhile.',
  },
  approved: {
    tone: 'success',
    title: 'Your profile is approved',
    text: 'Changes show straight away. New licences and documents are checked first; the present ones count until then.',
  },
  rejected: { tone: 'warning', title: 'Your profile was not approved', text: '' },
  suspended: { tone: 'warning', title: 'Your profile is suspended', text: '' },
  closed: { tone: 'warning', title: 'Your profile is closed', text: '' },
}

type Stood = { profile: Pick<TherapistProfile, 'status' | 'reason' | 'steps'> }

/** How the profile stands, in words. */
function Standing({ profile, actions }: Stood & { actions?: ReactNode }) {
  const standing = standings[profile.status]
  if (!standing) return null
  return (
    <Alert tone={standing.tone} title={standing.title} actions={actions} className="mt-3">
      {profile.reason ?? standing.text}
    </Alert>
  )
}

/** The same on other pages than the preview, which alone has the button that submits the profile. */
export function StandingElsewhere({ profile }: Stood) {
  const isDraft = profile.status === 'draft'
  const isBarred = profile.status === 'suspended' || profile.status === 'closed'
  const actions = (isDraft || isBarred || profile.status === 'rejected') && (
    <ButtonLink to={isBarred ? returnPaths.suspended : returnPaths.preview} variant="secondary" size="small">
      {isBarred ? 'What happens now' : isDraft ? 'See what is missing' : 'Change it and submit it again'}
    </ButtonLink>
  )
  if (!isDraft) return <Standing profile={profile} actions={actions} />
  return (
    <Alert tone="warning" title="Your profile is not submitted yet" actions={actions}>
      What you have saved is kept. We check it once you submit it.
    </Alert>
  )
}

/** In the place of the standing and of what depends on it, until the profile is known. */
export function StandingUnread({ query }: { query: FailedQuery }) {
  if (!query.error) return <Loading label="Loading where your profile stands" skeleton="h-28 rounded-lg" />
  return <QueryErrorAlert query={query} title="Where your profile stands did not load" live="polite" />
}

type Links = { profile: TherapistProfile; returnTo: ReturnPage; className?: string }

/** Steps with input that this tab has and the profile does not. */
export function Unsaved({ profile, returnTo, className }: Links) {
  const drafted = draftedSteps(profile.practitioner_id)
  if (drafted.length === 0) return null
  return (
    <Alert tone="warning" title="You have typed something that is not saved yet" className={className}>
      <StepLinkList steps={drafted} returnTo={returnTo} />
    </Alert>
  )
}

/** What was not accepted and has to be sent again, each with its reason and its step. */
export function SendAgain({ profile, returnTo }: Links) {
  return profileSteps.flatMap((step) =>
    refusedOf(step, profile).map((fact) => (
      <Alert
        key={'document_id' in fact ? fact.document_id : fact.id}
        tone="warning"
        title={
          'license_number' in fact
            ? `Licence ${fact.license_number} was not accepted`
            : `${factTitles[fact.kind]} was not accepted`
        }
        actions={
          <ButtonLink to={pathOfStep(step, { returnTo })} variant="secondary" size="small">
            Send again
          </ButtonLink>
        }
      >
        {fact.reason}
      </Alert>
    )),
  )
}

const factTitles = {
  identity: 'Your identity document',
  dbs: 'Your DBS check',
  insurance_certificate: 'Your insurance certificate',
} as const

/** Links to every step, each to be changed alone. */
export function ChangeOneThing({ returnTo }: { returnTo: ReturnPage }) {
  return (
    <Section title="Change one thing" isCard>
      <div className="mt-2">
        <StepLinkList steps={profileSteps} returnTo={returnTo} />
      </div>
    </Section>
  )
}

function StepLinkList({ steps, returnTo }: { steps: readonly ProfileStep[]; returnTo: ReturnPage }) {
  return (
    <ul className="flex flex-col">
      {steps.map((step) => (
        <li key={step}>
          <TextLink to={pathOfStep(step, { returnTo })} tone="plain" className="tappable">
            {stepTitles[step]}
          </TextLink>
        </li>
      ))}
    </ul>
  )
}

function failureText(error: unknown): string {
  return error instanceof ApiError && error.code === 'incomplete_profile'
    ? 'Something is still missing. Please load this page again to see what.'
    : messageOf(error)
}
