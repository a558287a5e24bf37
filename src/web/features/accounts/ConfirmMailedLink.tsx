import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ApiError } from '#web/lib/api-error.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { forgetMailedToken, keepMailedToken, readMailedToken, tokenInAddress } from '#web/lib/mailed-token.ts'
import { withReturnPath } from '#web/lib/return-to.ts'
import { personOf, useSession } from '#web/lib/session.ts'
import { isDefinite, useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { type AccountRole, accountPath, roleOfPath } from './account-paths.ts'
import { EntrancePage } from './EntrancePage.tsx'

type Props = {
  title: string
  /** Why one has to log in, above the button that leads there. */
  signInLead: string
  failedTitle: string
  success: { title: string; words: string }
  /** Title where the work may be done: without a token, as in a page that is opened again, and after a lost answer. */
  maybeDone: string
  /** Carries it out for the person who is signed in. @throws ApiError */
  onConfirm(role: AccountRole, token: string): Promise<unknown>
  /** After `invalid_token`: whether what the link is for has been done before. */
  isDone(role: AccountRole): Promise<boolean>
  /** How to get another link, for the person who is signed in. */
  another: ReactNode
  /** Ends the sign-in in this tab and opens the page given. */
  onSignOut(next: string): void
}

/**
 * The page behind a mailed link that works for one account alone. Calls `onConfirm` as soon as that account is signed in
 * here. A visitor and any other account get an explanation instead.
 */
export function ConfirmMailedLink({
  title,
  signInLead,
  failedTitle,
  success,
  maybeDone,
  onConfirm,
  isDone,
  another,
  onSignOut,
}: Props) {
  const { pathname, state } = useLocation()
  const navigate = useNavigate()
  const token = useMailedToken()
  const session = useSession()
  const role = session.role === 'client' || session.role === 'therapist' ? session.role : undefined
  const email = personOf(session)?.email

  /** Whether what the link is for is done; false when the link does not work any more. */
  const confirm = useAction(async () => {
    if (!token || !role) return undefined
    const isConfirmed = await onConfirm(role, token).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.code === 'invalid_token')
          return isDone(role).catch(() => false)
        throw error
      },
    )
    forgetMailedToken(pathname)
    return isConfirmed
  })
  const tried = useRef<string>(undefined)
  const confirmNow = useEffectEvent(() => {
    const attempt = `${role} ${token}`
    if (tried.current !== attempt) confirm.start()
    tried.current = attempt
  })
  useEffect(() => {
    if (token && role) confirmNow()
  }, [token, role])

  const isConfirmed = confirm.answer === true
  useEffect(() => {
    if (isConfirmed)
      void navigate(pathname, { replace: true, preventScrollReset: true, state: confirmedState })
  }, [isConfirmed, navigate, pathname])

  const account = accountPath(role ?? roleOfPath(pathname), 'account')
  return <EntrancePage title={title}>{content()}</EntrancePage>

  function content(): ReactNode {
    if (token === undefined) return <Working />
    if (isConfirmed || (!token && hasConfirmed(state))) {
      return (
        <Alert
          tone="success"
          live="polite"
          title={success.title}
          actions={<ButtonLink to={account}>Go to your account</ButtonLink>}
        >
          {success.words}
        </Alert>
      )
    }
    if (confirm.answer === false) {
      return (
        <div className="flex flex-col gap-5">
          <Alert tone="danger" live="assertive" title={failedTitle}>
            This link has expired or has already been used. Only the newest link works, and only once.
          </Alert>
          {another}
        </div>
      )
    }
    if (!token) {
      return (
        <div className="flex flex-col gap-5">
          <Alert
            tone="info"
            title={maybeDone}
            actions={role && <ButtonLink to={account}>Go to your account</ButtonLink>}
          >
            Your account shows whether it is. If it is not, open the link in our email once more.
          </Alert>
          {role ? (
            another
          ) : (
            <LogIn pathname={pathname} lead="Log in to see it, or to ask for another link." next={account} />
          )}
        </div>
      )
    }
    if (session.role === 'anonymous') return <LogIn pathname={pathname} lead={signInLead} next={pathname} />
    if (!role || isOfAnother(confirm.error)) {
      return (
        <Alert
          tone="warning"
          live="polite"
          title="This link is for another account"
          actions={
            <Button onPress={() => onSignOut(signInPath(roleOfPath(pathname), pathname))}>
              Use another account
            </Button>
          }
        >
          You are logged in here as {email}. Nothing has changed. Log in to the account the email is about,
          and we will take it from there.
        </Alert>
      )
    }
    if (confirm.error !== undefined) {
      return (
        <ErrorAlert
          title={isDefinite(confirm.error) ? failedTitle : maybeDone}
          error={confirm.error}
          actions={<Button onPress={() => confirm.start()}>Try again</Button>}
        />
      )
    }
    return <Working />
  }
}

/** Kept in the history of the tab, so that a page that has confirmed shows it again after a reload. */
const confirmedState = { isConfirmed: true }

const hasConfirmed = (state: unknown) =>
  typeof state === 'object' && state !== null && 'isConfirmed' in state && state.isConfirmed === true

const isOfAnother = (error: unknown) => error instanceof ApiError && error.code === 'other_account'

const signInPath = (role: AccountRole, next: string) =>
  withReturnPath(accountPath(role, 'sign-in'), { pathname: next })

function LogIn({ pathname, lead, next }: { pathname: string; lead: string; next: string }) {
  const role = roleOfPath(pathname)
  return (
    <div className="flex flex-col gap-4">
      <p>{lead}</p>
      <ButtonLink to={signInPath(role, next)} fullWidth>
        Log in
      </ButtonLink>
      {role === 'client' && (
        <p className="text-center text-soft">
          Are you a therapist?{' '}
          <TextLink
            to={signInPath('therapist', next === pathname ? next : accountPath('therapist', 'account'))}
          >
            Log in as a therapist
          </TextLink>
        </p>
      )}
    </div>
  )
}

function Working() {
  return (
    <p className="flex items-center gap-3 text-soft">
      <Spinner label="Checking the link" />
      One moment
    </p>
  )
}

/**
 * The token that this page was opened with: null if there is none, undefined before the page is alive. It is removed from
 * the address as soon as it is kept.
 */
function useMailedToken(): string | null | undefined {
  const location = useLocation()
  const navigate = useNavigate()
  const isHydrated = useHydrated()
  const inAddress = tokenInAddress(location)
  useEffect(() => {
    if (inAddress !== null && keepMailedToken(location.pathname, inAddress)) {
      void navigate(location.pathname, { replace: true, preventScrollReset: true })
    }
  }, [inAddress, location.pathname, navigate])
  return isHydrated ? (inAddress ?? readMailedToken(location.pathname)) : undefined
}
