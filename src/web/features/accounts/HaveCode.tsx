import { useEffect, useRef, useState } from 'react'
import { Alert } from '#web/ui/Alert.tsx'
import { Disclosure } from '#web/ui/Disclosure.tsx'
import { ReferralForm } from './ReferralForm.tsx'

/** 'Have a code?' on the way to paying, for a client who may still use one. */
export function HaveCode({ mayUse, onConfirmed }: { mayUse: boolean; onConfirmed(): void }) {
  const [discount, setDiscount] = useState<number>()
  const message = useRef<HTMLDivElement>(null)

  // The form that was sent has left.
  useEffect(() => {
    if (discount !== undefined) message.current?.focus()
  }, [discount])

  return (
    <>
      {/* There from the start, so that a screen reader hears what comes into it. */}
      <div ref={message} tabIndex={-1} aria-live="polite" className="empty:sr-only">
        {discount !== undefined && (
          <Alert tone="success" title="This code works">
            {discount}% is taken off this session. Your practitioner still gets the full fee.
          </Alert>
        )}
      </div>
      {mayUse && discount === undefined && (
        <Disclosure title="Have a code?">
          <ReferralForm
            onConfirmed={(percent) => {
              setDiscount(percent)
              onConfirmed()
            }}
          />
        </Disclosure>
      )}
    </>
  )
}
