import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { OwnHealthConsent, OwnHealthConsentLoading } from '#web/features/accounts/OwnHealthConsent.tsx'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Data about your health') }]

export const clientLoader = () => null

const title = 'Data about your health'
const lead =
  'Looking for therapy can say something about your health. The law asks for your agreement to that.'

export function HydrateFallback() {
  return (
    <AccountPart title={title} lead={lead}>
      <OwnHealthConsentLoading />
    </AccountPart>
  )
}

export default function AccountHealth() {
  return (
    <AccountPart title={title} lead={lead}>
      <OwnHealthConsent />
    </AccountPart>
  )
}
