import { useHydrated } from '#web/lib/hydrated.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { isDeletionAsked } from './account-deleted.ts'

export const deletionUnclearTitle = 'We cannot tell whether your account was deleted'

/** Where one logs in again: the sign-in ended while a deletion was on its way, as it does when the account is deleted. */
export function DeletionUnclear() {
  const isHydrated = useHydrated()
  if (!isHydrated || !isDeletionAsked()) return null
  return (
    <Alert tone="warning" live="polite" title={deletionUnclearTitle} className="mb-5">
      You asked for it, and the answer did not reach this page. If it was deleted, we have sent you one last
      email that says so. If you can still log in, it was not.
    </Alert>
  )
}
