import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { CopyButton } from './CopyButton.tsx'

/** The codes for when the app is lost, shown this once. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept(): void }) {
  const [isKept, setKept] = useState(false)
  const [isMissed, setMissed] = useState(false)
  const tick = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Card className="flex flex-col gap-5">
      <h2 ref={heading} tabIndex={-1} className="text-2xl outline-none">
        Keep your recovery codes
      </h2>
      <p>
        The app is set up. If you lose it, each of these codes signs you in once. We will not show them again:
        print them, or keep them in your password manager.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-2 font-semibold tabular-nums sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <CopyButton text={codes.join('\n')}>Copy all</CopyButton>
      <Checkbox
        ref={tick}
        checked={isKept}
        error={isMissed && !isKept ? 'Tick this once you have kept them.' : undefined}
        onChange={(event) => setKept(event.target.checked)}
      >
        I have kept these codes
      </Checkbox>
      <div>
        <Button
          onPress={() => {
            setMissed(!isKept)
            if (isKept) onKept()
            else tick.current?.focus()
          }}
        >
          Go on
        </Button>
      </div>
    </Card>
  )
}
