import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { EmergencyNumbers } from './EmergencyNumbers.tsx'
import { forgetSafety } from './safety.ts'

export const dangerHeading = {
  title: 'Please call now',
  lead: 'You do not have to go through this alone. The people who answer are there for exactly this.',
}

/** After a yes: whom to call, and no way to a payment. */
export function DangerStep() {
  return (
    <Numbers why="Finding a therapist takes minutes, and they could not come to you, so we do not offer it now.">
      <Button variant="secondary" onPress={() => forgetSafety()}>
        Ask me the question again
      </Button>
    </Numbers>
  )
}

type CallNowProps = {
  /** What follows, for a reader who has called or does not want to. */
  onLabel: string
  onGoOn(): void
}

/**
 * The same page in front of the next step of a questionnaire, with a quiet way on. Its heading takes the focus, so that a
 * screen reader reads it.
 */
export function CallNow({ onLabel, onGoOn }: CallNowProps) {
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const heading = page.current?.querySelector<HTMLElement>('h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [])
  return (
    <div ref={page} className="mx-auto flex w-full max-w-2xl flex-col">
      <PageHeading {...dangerHeading} />
      <div className="flex flex-col gap-6">
        <Numbers why="Finding a therapist can wait. Your answers are kept in this tab.">
          <Button variant="quiet" onPress={onGoOn}>
            {onLabel}
          </Button>
        </Numbers>
      </div>
    </div>
  )
}

/** `why`: what Hearth does not do now. */
function Numbers({ why, children }: { why: string; children: ReactNode }) {
  return (
    <>
      <EmergencyNumbers />
      <p>If someone with you is in danger, stay with them if that is safe for you. {why}</p>
      <div>{children}</div>
    </>
  )
}
