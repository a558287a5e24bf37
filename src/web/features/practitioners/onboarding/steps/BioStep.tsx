import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { limitedField } from '#web/lib/form.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { StepForm } from '../StepForm.tsx'
import { useStepForm } from '../use-step-form.ts'
import { countWords } from '../wizard.ts'

const suggested = 500
const maxLength = limitsOf('PUT /therapist/update-profile', 'short_description').maxLength?.value ?? 0

/** The sentence for the list and the bio, with what makes a good one. */
export function BioStep({ profile }: { profile: TherapistProfile }) {
  const [isGuideOpen, setGuideOpen] = useState(false)
  const { form, draft } = useStepForm({ short_description: profile.short_description, about: profile.about })
  const typed = useWatch({ control: form.control })
  const words = countWords(typed.about ?? '')
  const left = maxLength - (typed.short_description ?? '').length
  return (
    <StepForm
      form={form}
      draft={draft}
      save={{ endpoint: 'PUT /therapist/update-profile', bodyOf: (body) => body }}
    >
      <TextArea
        label="In a sentence or two"
        description={`People read this first, in the list of results. ${left} ${left === 1 ? 'character' : 'characters'} left.`}
        rows={3}
        {...limitedField(form, 'PUT /therapist/update-profile', 'short_description', {
          validate: (text) => text.trim() !== '' || 'Write a sentence or two for the list.',
        })}
      />
      <div className="flex flex-col gap-2">
        <TextArea
          label="Bio"
          description={`Minimum ${suggested} words`}
          rows={14}
          {...limitedField(form, 'PUT /therapist/update-profile', 'about', {
            validate: (text) => text.trim() !== '' || 'Write your bio.',
          })}
        />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p aria-live="off" className="text-sm text-soft tabular-nums">
            {words === 1 ? '1 word' : `${words} words`}
            {words < suggested ? `, ${suggested - words} to go` : ''}
          </p>
          <Button variant="quiet" size="small" onPress={() => setGuideOpen(true)}>
            What makes a good bio
          </Button>
        </div>
      </div>
      <Dialog isOpen={isGuideOpen} onClose={() => setGuideOpen(false)} title="What makes a good bio">
        <Guidelines />
        <Button variant="secondary" className="mt-6" onPress={() => setGuideOpen(false)}>
          Back to writing
        </Button>
      </Dialog>
    </StepForm>
  )
}

function Guidelines() {
  return (
    <div className="flex flex-col gap-4">
      <ul className="flex list-disc flex-col gap-2 pl-5">
        <li>Begin with the people you help, not with your degrees. Your licences are shown separately.</li>
        <li>Say in plain words what happens in a first session.</li>
        <li>Name two or three things that you are good at, and one that you refer on.</li>
        <li>Write in the first person, in short sentences, without jargon.</li>
        <li>Promise your attention, never a result.</li>
        <li>Leave out clients’ names, stories and details, even if you change them.</li>
      </ul>
      <div>
        <h3 className="text-lg">An example</h3>
        <blockquote className="mt-2 border-l-2 border-action pl-4 text-soft">
          <p>
            Many people who come to me have held everything together for a long time. They sleep badly, they
            snap at those they love, and they are tired of pretending. If that sounds like you, you are not
            failing. Something has been too much for too long.
          </p>
          <p className="mt-2">
            In our first session we look at what brings you here now, and at what you have tried. You decide
            how fast we go. I will ask questions and tell you what I notice; I will not tell you how to live.
            At the end you will know whether you want to come back, and it is fine if you do not.
          </p>
          <p className="mt-2">
            I have worked with anxiety and burnout for twelve years, first in the NHS and now on my own…
          </p>
        </blockquote>
      </div>
    </div>
  )
}
