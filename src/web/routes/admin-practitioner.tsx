import { useSearchParams } from 'react-router'
import { NoSuchPractitioner, PractitionerPage } from '#web/features/back-office/PractitionerPage.tsx'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Practitioner') }]

export default function AdminPractitioner() {
  const [search] = useSearchParams()
  const id = Number(search.get('id'))
  return Number.isInteger(id) && id > 0 && id < 2 ** 31 ? (
    <PractitionerPage key={id} id={id} />
  ) : (
    <NoSuchPractitioner />
  )
}
