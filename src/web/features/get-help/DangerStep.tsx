import { Button } from '#web/ui/Button.tsx'
import { EmergencyNumbers } from './EmergencyNumbers.tsx'
import { forgetSafety } from './safety.ts'

export const dangerHeading = {
  title: 'Please call now',
  lead: 'You need not be alone with this. Whoever answers is there for exactly this.',
}

/** After a yes: whom to call, and no way to a payment. */
export function DangerStep() {
  return (
    <>
      <EmergencyNumbers />
      <p>
        If somebody with you is in danger, stay with them if that is safe for you. Finding a therapist takes
        minutes, and they could not come to you, so we do not offer it now.
      </p>
      <div>
        <Button variant="secondary" onPress={() => forgetSafety()}>
          Ask me the question again
        </Button>
      </div>
    </>
  )
}
