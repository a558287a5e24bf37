import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import type { AssistanceCategory } from '#contract/search.ts'
import { Button } from '#web/ui/Button.tsx'
import { ProgressBar } from '#web/ui/ProgressBar.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { focusFirstInvalid } from '#web/lib/form.ts'
import { useFormMethod } from '#web/lib/hydrated.ts'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { HelpNow } from './HelpNow.tsx'
import { keepAnswers, type KeptAnswers } from './kept-answers.ts'
import {
  answerTo,
  callsFirst,
  chosenCategory,
  goneOn,
  hintsAtDanger,
  reachableStep,
  withAnswer,
} from './steps.ts'

type Props = {
  categories: readonly AssistanceCategory[]
  /** As the address has it: 0 is the category, 1 the first question. */
  wantedStep: number
  isHydrated: boolean
  /** Finds the answers kept in this tab, in the browser alone. Undefined for a visitor who begins. */
  restore(): KeptAnswers | undefined
  /** Puts another step into the address. */
  onStep(step: number): void
  onDone(): void
  /** The page with the emergency numbers, in front of a step. */
  CallNow: ComponentType<{ onLabel: string; onGoOn(): void }>
}

/** Asks what it is about, and then one question at a time. Going back loses no answer. */
export function GuidedSearch({
  categories,
  wantedStep,
  isHydrated,
  restore,
  onStep,
  onDone,
  CallNow,
}: Props) {
  const [kept, setKept] = useState<KeptAnswers>()
  const [isRestored, setIsRestored] = useState(false)
  // While rendering, in what the server has drawn: drawn anew, the options would miss a press that is under way.
  if (isHydrated && !isRestored) {
    setIsRestored(true)
    setKept(restore())
  }
  const category = chosenCategory(categories, kept)
  const step = reachableStep(wantedStep, categories, kept)
  const question = step > 0 ? category?.therapy_filter_questions[step - 1] : undefined
  const callFirst = callsFirst(category, kept, step)
  const heading = useStepFocus(callFirst === undefined ? step : undefined)

  const keep = (next: KeptAnswers) => {
    setKept(next)
    keepAnswers(next)
  }
  if (kept && callFirst !== undefined) {
    return (
      <CallNow
        key={callFirst}
        onLabel="Continue with the questions"
        onGoOn={() => keep(goneOn(kept, callFirst))}
      />
    )
  }
  const frame = { heading, step, count: (category?.therapy_filter_questions.length ?? 5) + 1 }
  if (!question || !category) {
    return (
      <Step
        {...frame}
        key="category"
        title="What does it relate to?"
        lead="Choose what comes closest. A few questions follow, and then a suggestion. You can go back at any time."
        missing="Choose one to go on."
        options={categories.map((each) => ({
          value: String(each.value),
          label: each.category_name,
          description: each.description,
        }))}
        look="card"
        name="category"
        value={category ? String(category.value) : ''}
        onChoose={(value) => {
          const categoryId = Number(value) + 1
          keep({ categoryId, answers: kept?.answers ?? {} })
        }}
        onNext={() => {
          // Picked before the page was alive, it has not been kept yet.
          if (kept) keepAnswers(kept)
          onStep(1)
        }}
      />
    )
  }
  const answer = answerTo(question, kept)
  // What was said before this step stands above it from the start; what is said here must not move the options.
  const wasInDanger = hintsAtDanger(category, kept, step - 1)
  return (
    <Step
      {...frame}
      key={question.therapy_filter_question_id}
      title={question.question_name}
      lead={question.hint}
      missing="Choose an answer to go on."
      options={question.therapy_filter_answers.map((each) => ({
        value: String(each.therapy_filter_answer_id),
        label: each.title,
      }))}
      look={question.type === 1 ? 'card' : 'plain'}
      name={`question-${question.therapy_filter_question_id}`}
      value={answer ? String(answer.therapy_filter_answer_id) : ''}
      onChoose={(value) => keep(withAnswer(category, kept, question, Number(value)))}
      above={wasInDanger && <HelpNow />}
      below={!wasInDanger && hintsAtDanger(category, kept, step) && <HelpNow live="assertive" />}
      onBack={() => onStep(step - 1)}
      onNext={() => (answer?.trigger_next ? onStep(step + 1) : onDone())}
      nextLabel={answer && !answer.trigger_next ? 'See what we suggest' : undefined}
    />
  )
}

type StepProps = {
  heading: React.RefObject<HTMLHeadingElement | null>
  step: number
  /** Of all steps, as far as it is known. */
  count: number
  title: string
  lead: ReactNode
  missing: string
  options: { value: string; label: string; description?: string }[]
  look: 'card' | 'plain'
  name: string
  value: string
  onChoose(value: string): void
  above?: ReactNode
  /** What appears with an answer: below the buttons, so that nothing moves under a finger. */
  below?: ReactNode
  onBack?: () => void
  onNext(): void
  nextLabel?: string | undefined
}

function Step({
  heading,
  step,
  count,
  title,
  lead,
  missing,
  options,
  look,
  name,
  value,
  onChoose,
  above,
  below,
  onBack,
  onNext,
  nextLabel = 'Next step',
}: StepProps) {
  const [isMissing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const method = useFormMethod()
  useEffect(() => {
    if (isMissing && form.current) focusFirstInvalid(form.current)
  }, [isMissing])
  return (
    <form
      ref={form}
      method={method}
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (value) onNext()
        else setMissing(true)
      }}
    >
      <ProgressBar label={`Step ${step + 1} of ${count}`} value={(step / count) * 100} isValueHidden />
      <div>
        <h1 ref={heading} tabIndex={-1} className="text-3xl outline-none">
          {title}
        </h1>
        {lead && <p className="mt-2 text-lg text-soft">{lead}</p>}
      </div>
      {above}
      <RadioGroup
        label={title}
        isLabelHidden
        look={look}
        name={name}
        options={options}
        value={value}
        onChange={(chosen) => {
          setMissing(false)
          onChoose(chosen)
        }}
        {...(isMissing && !value && { error: missing })}
      />
      <div className="flex flex-col gap-3 sm:flex-row-reverse sm:justify-end">
        <SubmitButton>{nextLabel}</SubmitButton>
        {onBack && (
          <Button variant="secondary" onPress={onBack}>
            Back
          </Button>
        )}
      </div>
      {below}
    </form>
  )
}

/**
 * Another step begins at its heading, which a screen reader then reads. The first one is left to the page. Undefined while
 * the emergency numbers stand in front of the step.
 */
function useStepFocus(step: number | undefined) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    if (step === undefined) return
    heading.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [step])
  return heading
}
