import frauncesLatin from '@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2?url'
import sourceSansLatin from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url'
import { type ReactNode, Suspense, useContext, useEffect } from 'react'
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useNavigate,
} from 'react-router'
import type { Route } from './+types/root.ts'
import { ErrorPage, isNotFound } from './features/layout/ErrorPage.tsx'
import { Footer } from './features/layout/Footer.tsx'
import { Header } from './features/layout/Header.tsx'
import { PageStatus } from './features/layout/PageStatus.tsx'
import { RouteFocus } from './features/layout/RouteFocus.tsx'
import { ShortlistLink } from './features/shortlist/ShortlistLink.tsx'
import { onSessionLost } from './lib/api.ts'
import { canonicalPath } from './lib/indexing.ts'
import { lazyPart } from './lib/lazy-part.ts'
import { withReturnPath } from './lib/return-to.ts'
import { ScriptMark } from './lib/script-mark.ts'
import { readPageContext } from './lib/server-context.ts'
import { useSession } from './lib/session.ts'
import { pageTitle, siteName } from './lib/site.ts'
import { useSiteFacts } from './lib/site-facts.ts'
import { themeScript } from './lib/theme-script.ts'
import { readVisitorShortlist } from './lib/visitor-shortlist.ts'
import type { WindowHandle } from './lib/window-handle.ts'
import { classes } from './ui/classes.ts'
import themeHref from './ui/theme.css?url'
import { showToast, ToastRegion } from './ui/Toast.tsx'

/** Visitors have no chats, and load nothing of them. */
const ChatsLink = lazyPart(() => import('./features/chat/ChatsLink.tsx'))
const ChatPresence = lazyPart(() => import('./features/chat/ChatPresence.tsx'))

export const links: Route.LinksFunction = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', href: sourceSansLatin, crossOrigin: 'anonymous' },
  { rel: 'preload', as: 'font', type: 'font/woff2', href: frauncesLatin, crossOrigin: 'anonymous' },
  { rel: 'stylesheet', href: themeHref },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/icons/apple-touch.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
]

export const meta: Route.MetaFunction = ({ error }) => {
  if (error) return [{ title: pageTitle(isNotFound(error) ? 'Page not found' : 'Something went wrong') }]
  return [{ title: siteName }]
}

/** The site's own facts. They change with a release at most. */
export function loader({ context }: Route.LoaderArgs) {
  return readPageContext(context).site
}

export const shouldRevalidate = () => false

/** The document, around pages and errors alike. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    // The theme is on the element before the page is alive.
    <html lang="en-GB" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* Phones would put links into the texts, which React then does not know again. */}
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf5ec" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#161b19" />
        <Theme />
        <Payment />
        <IdentityScript />
        <Meta />
        <Address />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

/** As markup, which the policy of Trusted Types empties where React puts the document together anew; text it refuses. */
const themeMarkup = { __html: themeScript }

/** Shows the theme that the reader has chosen, before anything is painted. */
function Theme() {
  // A document that was put together anew has lost it.
  useEffect(() => void window.dispatchEvent(new Event('theme')), [])
  return (
    <script
      nonce={useContext(ScriptMark)}
      suppressHydrationWarning
      // oxlint-disable-next-line react/no-danger -- a constant of our own
      dangerouslySetInnerHTML={themeMarkup}
    />
  )
}

/** Names the payment provider for the pages that pay: see lib/payment-provider.ts. */
function Payment() {
  const payment = useSiteFacts()?.payment
  if (!payment) return null
  return (
    <>
      <meta name="payment-provider" content={payment.provider} />
      {payment.provider === 'stripe' && (
        <>
          <meta name="payment-script" content={payment.script} />
          <meta name="payment-key" content={payment.publishableKey} />
        </>
      )}
    </>
  )
}

/** What draws the button of the sign-in provider, if anything does: see lib/google-identity.ts. */
function IdentityScript() {
  const button = useSiteFacts()?.identityButton
  return button ? <meta name="identity-script" content={button.script} /> : null
}

/** The canonical address of a page for search engines and shared links; private pages get `noindex` instead. */
function Address() {
  const site = useSiteFacts()
  const path = canonicalPath(useLocation())
  if (path === undefined || !site) return <meta name="robots" content="noindex" />
  return (
    <>
      <link rel="canonical" href={site.origin + path} />
      <meta property="og:url" content={site.origin + path} />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:locale" content="en_GB" />
      <meta property="og:image" content={`${site.origin}/icons/share.png`} />
      <meta property="og:image:alt" content="Two people, each under an arch, in one conversation" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

export default function Root() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  )
}

export function ErrorBoundary() {
  return (
    <Frame>
      <ErrorPage />
    </Frame>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const site = useSiteFacts()
  const { role } = useSession()
  const hasChats = ['client', 'therapist'].includes(role)
  const fills = useFillsWindow()
  useSessionEnd()
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-action px-5 py-3 font-semibold text-on-action focus:not-sr-only focus:absolute focus:top-3 focus:left-3"
      >
        Skip to the content
      </a>
      <div className={classes('flex flex-col', windowLooks[fills].frame)}>
        <Header chats={hasChats && <ChatsLink />} shortlist={<ShortlistLink />} />
        <PageStatus />
        <HelpUnderWay />
        <SavedBeforeSignIn />
        <main id="main" tabIndex={-1} className={classes('flex flex-col', windowLooks[fills].main)}>
          {children}
        </main>
        <div data-role={role} className={classes('mt-auto', windowLooks[fills].footer)}>
          <Footer appStoreUrl={site?.appStoreUrl ?? null} playStoreUrl={site?.playStoreUrl ?? null} />
        </div>
      </div>
      {hasChats && (
        <Suspense>
          <ChatPresence />
        </Suspense>
      )}
      <ToastRegion />
      <RouteFocus />
    </>
  )
}

/** Visitors are concerned by neither, so they load neither. */
const HelpBar = lazyPart(() => import('./features/get-help/HelpBar.tsx'))
const HelpOffers = lazyPart(() => import('./features/get-help/HelpOffers.tsx'))

/** On every page: a client's search for help that is under way, and requests for a practitioner to answer. */
function HelpUnderWay() {
  const { role } = useSession()
  if (role !== 'client' && role !== 'therapist') return null
  return <Suspense>{role === 'client' ? <HelpBar /> : <HelpOffers />}</Suspense>
}

/** Only clients who have saved people before they signed in load it. */
const SavedBefore = lazyPart(() => import('./features/shortlist/SavedBefore.tsx'))

function SavedBeforeSignIn() {
  const { role } = useSession()
  if (role !== 'client' || readVisitorShortlist().length === 0) return null
  return (
    <Suspense>
      <SavedBefore />
    </Suspense>
  )
}

/** By how much of the window the page takes. It is never squeezed below what can be used. */
const windowLooks = {
  never: { frame: 'min-h-dvh', main: 'pb-16', footer: '' },
  wide: {
    frame: 'min-h-dvh lg:h-dvh lg:min-h-128',
    main: 'grow max-lg:pb-16 lg:min-h-0',
    footer: 'lg:foot-of-numbers',
  },
  always: { frame: 'h-dvh min-h-112', main: 'min-h-0 grow', footer: 'foot-of-numbers' },
  sideways: { frame: 'h-dvh min-h-80', main: 'min-h-0 grow', footer: 'foot-of-numbers' },
}

function useFillsWindow(): keyof typeof windowLooks {
  const handles = useMatches().map(({ handle }) => handle as Partial<WindowHandle> | undefined)
  return handles.findLast((handle) => handle?.fillsWindow)?.fillsWindow ?? 'never'
}

/**
 * A session that can no longer be renewed leads to signing in again, and back to where one was. The server does not say whether
 * it was ended on another device or ran out.
 */
function useSessionEnd(): void {
  const navigate = useNavigate()
  const location = useLocation()
  useEffect(
    () =>
      onSessionLost((role) => {
        showToast(
          'You were signed out, on another device or after some time away. Please log in again.',
          'info',
        )
        void navigate(withReturnPath(role === 'client' ? '/sign-in' : `/${role}/sign-in`, location))
      }),
    [navigate, location],
  )
}
