import { data } from 'react-router'

/** Every path that is no page answers 404 with the frame around it. */
export function loader(): never {
  // oxlint-disable-next-line typescript/only-throw-error -- React Router carries a status to the error boundary this way
  throw data(null, { status: 404 })
}

export default function NotFound() {
  return null
}
