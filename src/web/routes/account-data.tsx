import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { DataExport } from '#web/features/accounts/DataExport.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { Loading } from '#web/ui/Skeleton.tsx'

export const meta = () => [{ title: pageTitle('A copy of your data') }]

export const clientLoader = () => null

const title = 'A copy of your data'
const lead =
  'Everything we keep about you, in one file: your account, your sessions, your payments and where you signed in.'

export function HydrateFallback() {
  return (
    <AccountPart title={title} lead={lead}>
      <Loading label="Loading" skeleton="h-12 w-56 rounded-full" />
    </AccountPart>
  )
}

export default function AccountData() {
  return (
    <AccountPart title={title} lead={lead}>
      <DataExport />
    </AccountPart>
  )
}
