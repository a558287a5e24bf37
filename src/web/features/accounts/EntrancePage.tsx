import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { Card } from '#web/ui/Card.tsx'
import { Alert } from '#web/ui/Alert.tsx'

/** A page with one short form on it. */
export function EntrancePage({
  title,
  lead,
  above,
  children,
  below,
}: {
  title: string
  lead?: ReactNode
  /** Between the heading and the form. */
  above?: ReactNode
  children: ReactNode
  below?: ReactNode
}) {
  return (
    <div className="page flex max-w-lg flex-col gap-6 py-8 sm:py-14">
      <div>
        <h1 className="text-3xl">{title}</h1>
        {lead && <div className="mt-2 text-soft">{lead}</div>}
      </div>
      {above}
      <noscript>
        <Alert tone="warning" title="This needs JavaScript">
          You can read about practitioners without it. To sign in or to book, please allow JavaScript for this
          site.
        </Alert>
      </noscript>
      <Card>{children}</Card>
      {below}
    </div>
  )
}

/** Where one logs in again after choosing a new password: that it is changed. */
export function PasswordChanged() {
  const [search] = useSearchParams()
  if (!search.has('password_changed')) return null
  return (
    <Alert tone="success" live="polite" className="mb-5">
      Your password is changed. Log in with the new one.
    </Alert>
  )
}
