import { Price } from '#web/ui/Price.tsx'

/** What a session costs, in pence; a discount is a line of its own. */
export function PriceLines({
  full,
  discount,
  due,
  label = 'To pay',
}: {
  full: number
  discount: number
  due: number
  label?: string
}) {
  return (
    <dl className="flex flex-col gap-1.5">
      {discount > 0 && (
        <>
          <div className="flex justify-between gap-4">
            <dt>Session</dt>
            <dd>
              <Price pence={full} />
            </dd>
          </div>
          <div className="flex justify-between gap-4">
            <dt>Referral discount, first session</dt>
            <dd>
              <span aria-hidden>−</span>
              <span className="sr-only">minus </span>
              <Price pence={discount} />
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
          <Price pence={due} />
        </dd>
      </div>
    </dl>
  )
}
