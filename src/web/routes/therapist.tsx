import { redirect } from 'react-router'

export const loader = () => redirect('/therapist/dashboard')

/** The short address of a practitioner's pages. */
export default function Therapist() {
  return null
}
