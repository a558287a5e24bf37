import { IconCalendarRepeat, IconLock, IconPlayerPause } from '@tabler/icons-react'

/** What subscribing means, beside the card form. Prices are those of the specification's subscription. */
export function SubscriptionPromises({ price }: { price: string | undefined }) {
  return (
    <ul className="flex flex-col gap-5 text-soft">
      <li className="flex gap-3">
        <IconCalendarRepeat aria-hidden size={24} className="shrink-0 text-action" />
        <span>
          {price ? `The subscription costs ${price} a month. It is` : 'The subscription is'} charged now if
          your profile is approved, or on the day it is, and then on the same day of each month.
        </span>
      </li>
      <li className="flex gap-3">
        <IconPlayerPause aria-hidden size={24} className="shrink-0 text-action" />
        <span>
          You can cancel at any time. It then runs to the end of the month you have paid for. You keep
          everything clients pay.
        </span>
      </li>
      <li className="flex gap-3">
        <IconLock aria-hidden size={24} className="shrink-0 text-action" />
        <span>
          The number and the security code go to the payment provider. We keep the brand, the last four digits
          and the expiry date.
        </span>
      </li>
    </ul>
  )
}
