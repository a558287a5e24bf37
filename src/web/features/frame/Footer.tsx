import { TextLink } from '#web/ui/Link.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { EmergencyLine } from './EmergencyLine.tsx'
import { openLinks } from './navigation.ts'

const links = [
  { to: '/frequently-asked-questions', label: 'Frequently asked questions' },
  { to: '/privacy-policy', label: 'Privacy Policy' },
  { to: '/terms-and-conditions', label: 'Terms and Conditions' },
  { to: '/therapist/sign-up', label: 'Join as a therapist' },
  { to: '/therapist/sign-in', label: 'Therapist log in' },
]

/** The shops are searched by name: an app has an address there only once it is published. */
const stores = [
  { to: 'https://apps.apple.com/gb/search?term=Hearth%20therapy', label: 'App Store' },
  { to: 'https://play.google.com/store/search?q=Hearth%20therapy&c=apps', label: 'Google Play' },
]

export function Footer() {
  return (
    <footer className="mt-auto border-t border-line bg-sunken">
      <div className="page flex flex-col gap-8 py-10">
        <EmergencyLine />
        <div className="flex flex-col justify-between gap-8 md:flex-row">
          <div className="max-w-xs">
            <Logo />
            <p className="mt-3 text-sm text-soft">
              A quiet place to find somebody to talk to, anywhere in the UK.
            </p>
          </div>
          <nav aria-label="Footer" className="flex flex-wrap gap-x-14 gap-y-6">
            <ul className="flex flex-col">
              {openLinks(links).map((link) => (
                <li key={link.to}>
                  <TextLink to={link.to} tone="plain" className="inline-flex min-h-10 items-center text-sm">
                    {link.label}
                  </TextLink>
                </li>
              ))}
            </ul>
            <ul className="flex flex-col">
              {stores.map((store) => (
                <li key={store.to}>
                  <TextLink
                    to={store.to}
                    tone="plain"
                    rel="noreferrer"
                    className="inline-flex min-h-10 items-center text-sm"
                  >
                    {store.label}
                  </TextLink>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <p className="text-xs text-faint">© Hearth. People who use Hearth are 18 or over.</p>
      </div>
    </footer>
  )
}
