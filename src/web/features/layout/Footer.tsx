import { TextLink } from '#web/ui/Link.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { EmergencyLine } from './EmergencyLine.tsx'
import { type NavigationLink, openLinks } from './navigation.ts'
import { ThemeSwitch } from './ThemeSwitch.tsx'

const links = [
  { to: '/frequently-asked-questions', label: 'Frequently asked questions' },
  { to: '/privacy-policy', label: 'Privacy Policy' },
  { to: '/terms-and-conditions', label: 'Terms and Conditions' },
  { to: '/about-the-data', label: 'About the data' },
  { to: '/accessibility', label: 'Accessibility' },
  { to: '/therapist/sign-up', label: 'Join as a therapist' },
  { to: '/therapist/sign-in', label: 'Therapist log in' },
]

/** Where the apps are, by the configuration. */
export type Stores = { appStoreUrl: string | null; playStoreUrl: string | null }

export function Footer({ appStoreUrl, playStoreUrl }: Stores) {
  const stores = [
    { to: appStoreUrl, label: 'App Store' },
    { to: playStoreUrl, label: 'Google Play' },
  ].flatMap(({ to, label }) => (to ? { to, label } : []))
  return (
    <footer className="mt-auto border-t border-line bg-sunken">
      <div className="page flex flex-col gap-8 py-10">
        {/* Where the page itself has the numbers, they stand there alone. */}
        <div className="[main:has([data-emergency])~div_&]:hidden">
          <EmergencyLine />
        </div>
        <div className="flex flex-col justify-between gap-8 md:flex-row">
          <div className="max-w-xs">
            <Logo />
            <p className="mt-3 text-sm text-soft">
              A quiet place to find someone to talk to, anywhere in the UK.
            </p>
          </div>
          <nav aria-label="Footer" className="flex flex-wrap gap-x-14 gap-y-6">
            <Links links={openLinks(links)} />
            <Links links={stores} rel="noreferrer" />
          </nav>
        </div>
        <ThemeSwitch />
        <p className="text-xs text-faint">© Hearth. People who use Hearth are 18 or over.</p>
      </div>
    </footer>
  )
}

function Links({ links, rel }: { links: readonly NavigationLink[]; rel?: string }) {
  return (
    <ul className="flex flex-col empty:hidden">
      {links.map(({ to, label }) => (
        <li key={to}>
          <TextLink to={to} tone="plain" rel={rel} className="inline-flex min-h-10 items-center text-sm">
            {label}
          </TextLink>
        </li>
      ))}
    </ul>
  )
}
