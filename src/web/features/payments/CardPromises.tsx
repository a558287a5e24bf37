import { IconCalendarCheck, IconLock, IconTrash } from '@tabler/icons-react'
import { TextLink } from '#web/ui/Link.tsx'

/** What becomes of a card that is saved here. */
export function CardPromises() {
  return (
    <ul className="flex flex-col gap-5 text-soft">
      <li className="flex gap-3">
        <IconLock aria-hidden size={24} className="shrink-0 text-action" />
        <span>
          The number and the security code go to the payment provider. We keep the brand, the last four digits
          and the expiry date.
        </span>
      </li>
      <li className="flex gap-3">
        <IconCalendarCheck aria-hidden size={24} className="shrink-0 text-action" />
        <span>It is charged when you book a session, never before, and you see the price first.</span>
      </li>
      <li className="flex gap-3">
        <IconTrash aria-hidden size={24} className="shrink-0 text-action" />
        <span>
          You can remove it at any time under <TextLink to="/account/cards">Saved cards</TextLink>.
        </span>
      </li>
    </ul>
  )
}
