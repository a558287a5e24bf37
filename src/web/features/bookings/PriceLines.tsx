import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { poundsToPence } from '#web/lib/money.ts'
import { Price } from '#web/ui/Price.tsx'

type Props = { price: Pick<AppointmentDetail, 'full_fee' | 'discount' | 'fee'>; label?: string }

/** What a session costs; a discount is a line of its own. */
export function PriceLines({ price: { full_fee, discount, fee }, label = 'To pay' }: Props) {
  return (
    <dl className="flex flex-col gap-1.5">
      {discount > 0 && (
        <>
          <div className="flex justify-between gap-4">
            <dt>Session</dt>
            <dd>
              <Price pence={poundsToPence(full_fee)} />
            </dd>
          </div>
          <div className="flex justify-between gap-4">
            <dt>Referral discount, first session</dt>
            <dd>
              <span aria-hidden>−</span>
              <span className="sr-only">minus </span>
              <Price pence={poundsToPence(discount)} />
            </dd>
          </div>
        </>
      )}
      <div
        className={
          discount > 0
            ? 'mt-1 flex items-baseline justify-between gap-4 border-t border-line pt-2.5'
            : 'flex items-baseline justify-between gap-4'
        }
      >
        <dt className="font-semibold">{label}</dt>
        <dd className="font-serif text-2xl">
          <Price pence={poundsToPence(fee)} />
        </dd>
      </div>
    </dl>
  )
}
