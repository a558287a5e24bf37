import { useQuery } from '@tanstack/react-query'
import { adminProfileQuery } from './admin-queries.ts'
import { SecondFactor } from './SecondFactor.tsx'

/** One's own second factor, once the frame knows whose it is. */
export function OwnSecondFactor() {
  const { data } = useQuery(adminProfileQuery())
  return data && <SecondFactor profile={data} />
}
