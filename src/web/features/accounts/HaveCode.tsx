import { useState } from 'react'
import { Alert } from '#web/ui/Alert.tsx'
import { Disclosure } from '#web/ui/Disclosure.tsx'
import { LiveRegion } from '#web/ui/LiveRegion.tsx'
import { ReferralForm } from './ReferralForm.tsx'

/** 'Have a code?' on the way to paying, for a client who may still use one. */
export function HaveCode({ mayUse, onConfirmed }: { mayUse: boolean; onConfirmed(): void }) {
  const [discount, setDiscount] = useState<number>()

  return (
    <>
      <LiveRegion focusOn={discount}>
        {discount !== undefined && (
          <Alert tone="success" title="This code works">
            {discount}% is taken off this session. Your practitioner still gets the full fee.
          </Alert>
        )}
      </LiveRegion>
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
