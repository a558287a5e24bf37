import { type ReactNode, useState } from 'react'
import { Alert } from '#web/ui/Alert.tsx'
import { LiveRegion } from '#web/ui/LiveRegion.tsx'

/**
 * The outcome of a decision above the list that its row leaves. It takes the focus, which the row's button had: a screen
 * reader that follows the focus to the next row would cut a toast short. @param view the list that is shown
 */
export function useOutcome(view: string): { outcome: ReactNode; onDecided(text: string): void } {
  const [said, setSaid] = useState<{ text: string; view: string }>()
  return {
    outcome: (
      <LiveRegion focusOn={said} className="outline-none">
        {said?.view === view && <Alert tone="success">{said.text}</Alert>}
      </LiveRegion>
    ),
    onDecided: (text) => setSaid({ text, view }),
  }
}
