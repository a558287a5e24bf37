import { TextLink } from '#web/ui/Link.tsx'
import { accountPath, useAccountRole } from './account-paths.ts'

/** The way on below a present password: for one that is forgotten, and for people who log in another way and have none. */
export function ForgottenPassword() {
  return (
    <p className="-mt-2 text-sm text-soft">
      Forgotten, or never chosen?{' '}
      <TextLink to={accountPath(useAccountRole(), 'forgot-password')}>We can send you a link</TextLink> to
      choose one.
    </p>
  )
}
