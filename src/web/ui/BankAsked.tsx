import { useState } from 'react'
import { type BankChecked, wasBankAsking } from '../lib/use-bank-checked.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'

type Props = {
  session: { session_id: string }
  payment: BankChecked & { goOn(session: { session_id: string }): void }
  /** What pressing the button does. */
  label: string
  /** Another way out is being taken, or what the payment depends on is not known yet. */
  isWaiting?: boolean
}

/**
 * For a page that was left while the bank asked: a phone that needs its memory for the bank's app discards the page. Goes
 * on with that payment, so that an approval given there counts.
 */
export function BankAsked({ session, payment, label, isWaiting = false }: Props) {
  const [asked] = useState(() => (wasBankAsking(session.session_id) ? session.session_id : undefined))
  const [isPressed, setPressed] = useState(false)
  const { step, goOn } = payment
  const isOpen = asked === session.session_id && wasBankAsking(session.session_id)
  // The bank asks again, about this payment or another one.
  if (!isOpen || step === 'asking' || step === 'at_bank') return null
  const isOther = step !== 'idle' && !isPressed
  return (
    // The reload keeps the place of the button that was pressed, further down.
    <div ref={comeIntoView} className="scroll-my-4">
      <Alert
        tone="info"
        title="Did you approve the payment with your bank?"
        actions={
          <Button
            size="small"
            isPending={step !== 'idle' && isPressed}
            pendingLabel="Checking with your bank"
            isDisabled={isWaiting || isOther}
            onPress={() => {
              setPressed(true)
              goOn(session)
            }}
          >
            {label}
          </Button>
        }
      >
        This page was left while your bank was asking. If you have approved it, finish here: you pay once. If
        not, nothing was taken, and you can pay below.
      </Alert>
    </div>
  )
}

function comeIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
