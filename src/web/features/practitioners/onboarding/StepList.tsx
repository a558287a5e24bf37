import { IconAlertTriangle, IconCircle, IconCircleCheckFilled, IconPencil } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import {
  pathOfStep,
  type ProfileStep,
  profileSteps,
  stages,
  type Walk,
} from '#contract/practitioners/profile-steps.ts'
import { classes } from '#web/ui/classes.ts'
import { Disclosure } from '#web/ui/Disclosure.tsx'
import { draftedSteps } from './step-drafts.ts'
import { markOf, type StepMark, stepTitles } from './wizard.ts'

type Props = { step: ProfileStep; profile: TherapistProfile; walk: Walk }

const marks: Record<StepMark, { icon: typeof IconCircle; color: string; words: string; isShown?: true }> = {
  done: { icon: IconCircleCheckFilled, color: 'text-action', words: 'Done' },
  open: { icon: IconCircle, color: 'text-soft', words: 'To do' },
  unsaved: { icon: IconPencil, color: 'text-warning', words: 'Not saved yet', isShown: true },
  refused: { icon: IconAlertTriangle, color: 'text-warning', words: 'Send again', isShown: true },
}

/** All steps with what is done, each a link: beside the form on a wide screen, to be opened above it on a narrow one. */
export function StepList(props: Props) {
  const drafted = draftedSteps(props.profile.practitioner_id)
  const doneCount = profileSteps.filter((step) => markOf(step, props.profile, drafted) === 'done').length
  const summary = `${doneCount} of ${profileSteps.length} steps done`
  return (
    <>
      <nav aria-label="Steps of your profile" className="max-lg:hidden lg:sticky lg:top-6">
        <p className="mb-3 font-semibold">{summary}</p>
        <Steps {...props} drafted={drafted} />
      </nav>
      <nav aria-label="Steps of your profile" className="lg:hidden">
        <Disclosure title={summary}>
          <Steps {...props} drafted={drafted} />
        </Disclosure>
      </nav>
    </>
  )
}

function Steps({ step: current, profile, walk, drafted }: Props & { drafted: readonly ProfileStep[] }) {
  return stages.map(({ path, title, steps }) => (
    <section key={path} aria-label={title} className="mb-4">
      <p className="mb-1 text-sm text-soft">{title}</p>
      <ol>
        {steps.map((step) => {
          const { icon: Icon, color, words, isShown } = marks[markOf(step, profile, drafted)]
          const isCurrent = step === current
          return (
            <li key={step}>
              <Link
                to={pathOfStep(step, walk)}
                aria-current={isCurrent ? 'step' : undefined}
                className={classes(
                  'flex min-h-11 items-center gap-3 rounded-md px-2 py-1.5 leading-snug text-ink no-underline hover:underline',
                  isCurrent && 'bg-sunken font-semibold',
                )}
              >
                <Icon aria-hidden size={20} className={classes('shrink-0', color)} />
                <span>
                  {stepTitles[step]}
                  <span className={isShown ? 'block text-sm font-normal text-soft' : 'sr-only'}>
                    {isShown ? words : `(${words.toLowerCase()})`}
                  </span>
                </span>
              </Link>
            </li>
          )
        })}
      </ol>
    </section>
  ))
}
