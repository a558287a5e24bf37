import { useSearchParams } from 'react-router'
import { NoSuchPractitioner, PractitionerPage } from '#web/features/back-office/PractitionerPage.tsx'
import { requireAdmin } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import type { Route } from './+types/admin-practitioner.ts'

export const meta = () => [{ title: pageTitle('Practitioner') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireAdmin(request)
  return null
}

export default function AdminPractitioner() {
  const [search] = useSearchParams()
  const id = Number(search.get('id'))
  return Number.isInteger(id) && id > 0 && id < 2 ** 31 ? (
    <PractitionerPage key={id} id={id} />
  ) : (
    <NoSuchPractitioner />
  )
}
