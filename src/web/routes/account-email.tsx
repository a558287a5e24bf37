import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { EmailForm } from '#web/features/accounts/EmailForm.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { Loading } from '#web/ui/Skeleton.tsx'

export const meta = () => [{ title: pageTitle('Your email') }]

export const clientLoader = () => null

const title = 'Your email'
const lead = 'We send a link to the new address. Your email changes when you open it.'

export function HydrateFallback() {
  return (
    <AccountPart title={title} lead={lead}>
      <Loading label="Loading your email" skeleton="h-48" />
    </AccountPart>
  )
}

export default function AccountEmail() {
  return (
    <AccountPart title={title} lead={lead}>
      <EmailForm />
    </AccountPart>
  )
}
