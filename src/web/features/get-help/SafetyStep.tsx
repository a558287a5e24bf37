import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { EmergencyNumbers } from './EmergencyNumbers.tsx'
import { keepSafety } from './safety.ts'

export const safetyHeading = {
  title: 'Get help right now',
  lead: '15 minutes online with the first available therapist, for £25. One question about your safety first.',
}

/** Before anything else: the one question, whom this is not for, and who is there instead. */
export function SafetyStep({ onSafe }: { onSafe?(): void }) {
  return (
    <>
      <Card as="section" aria-labelledby="danger" className="flex flex-col gap-4">
        <h2 id="danger" className="text-xl">
          Are you, or is someone with you, in danger right now?
        </h2>
        <noscript>
          <Alert tone="warning" title="The search needs JavaScript">
            The numbers below work without it.
          </Alert>
        </noscript>
        <div className="grid grid-cols-2 gap-3 noscript:hidden">
          <Button variant="secondary" onPress={() => keepSafety('danger')}>
            Yes
          </Button>
          <Button
            variant="secondary"
            onPress={() => {
              keepSafety('safe')
              onSafe?.()
            }}
          >
            No
          </Button>
        </div>
        <p className="text-sm text-soft">Your answer stays in this tab. It is not sent to us.</p>
      </Card>
      <Card as="section" aria-labelledby="not-for" className="flex flex-col gap-4">
        <h2 id="not-for" className="text-xl">
          This is not an emergency service
        </h2>
        <div>
          <p>Please do not wait for a therapist here if</p>
          <ul className="mt-1 list-disc pl-6 marker:text-ember">
            <li>you might act on thoughts of ending your life, or of hurting yourself or someone else,</li>
            <li>someone is hurt or has taken an overdose,</li>
            <li>you are afraid of what someone may do to you.</li>
          </ul>
        </div>
        <p>We cannot send anyone to you. These people can help straight away, day and night:</p>
        <EmergencyNumbers />
      </Card>
    </>
  )
}
