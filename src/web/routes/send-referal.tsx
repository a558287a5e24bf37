import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { EntrancePage } from '#web/features/accounts/EntrancePage.tsx'
import { enteredCodeQuery } from '#web/features/accounts/own-profile.ts'
import { ReferralForm } from '#web/features/accounts/ReferralForm.tsx'
import { safeReturnPath } from '#web/lib/return-to.ts'
import { useSession } from '#web/lib/session.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'

export const meta = () => [{ title: pageTitle('Referral code') }]

/** `?return_to=`: offered right after signing up, on the way back to where one came from. */
export default function SendReferral() {
  const navigate = useNavigate()
  const session = useSession()
  const [search] = useSearchParams()
  const [discount, setDiscount] = useState<number>()
  const returnTo = safeReturnPath(search.get('return_to'))
  const { data: entered } = useQuery({ ...enteredCodeQuery(), enabled: session.role === 'client' })
  if (discount === undefined && entered && entered.state !== 'none') {
    const { state, referral_code, discount_percent } = entered
    const code = referral_code === null ? 'your friend’s code' : `the code ${referral_code}`
    return (
      <EntrancePage title="Your referral code">
        <div className="flex flex-col gap-5">
          {state === 'saved' ? (
            <Alert tone="success" title={`We have saved ${code}`}>
              Your first session is automatically {discount_percent}% cheaper when you book; your practitioner
              still gets the full fee.
            </Alert>
          ) : (
            <Alert title="A code is for a first session">
              You have booked yours, or are about to pay for it.
              {referral_code !== null && ` You entered ${code} for it.`}
            </Alert>
          )}
          <ButtonLink to={returnTo} fullWidth>
            Continue
          </ButtonLink>
        </div>
      </EntrancePage>
    )
  }
  if (discount !== undefined) {
    const isKept = session.role === 'client'
    return (
      <EntrancePage title={`${discount}% off your first session`}>
        <div className="flex flex-col gap-5">
          <Alert tone="success" live="polite" title="This code works">
            {isKept
              ? 'We have saved it. Your first session is automatically cheaper when you book; your practitioner still gets the full fee.'
              : 'Create an account and enter it again, and we will save it for your first session.'}
          </Alert>
          {isKept ? (
            <ButtonLink to={returnTo} fullWidth>
              Continue
            </ButtonLink>
          ) : (
            <ButtonLink to="/sign-up" fullWidth>
              Create an account
            </ButtonLink>
          )}
        </div>
      </EntrancePage>
    )
  }
  return (
    <EntrancePage
      title="Do you have a referral code?"
      lead="A code from someone who uses Hearth takes 20% off your first session. You can also enter it later, until you have booked one."
      below={
        session.role === 'anonymous' && (
          <p className="text-center text-soft">
            Already have an account? <TextLink to="/sign-in?return_to=%2Fsend-referal">Log in</TextLink>
          </p>
        )
      }
    >
      <ReferralForm onConfirmed={setDiscount} onSkip={() => void navigate(returnTo, { replace: true })} />
    </EntrancePage>
  )
}
