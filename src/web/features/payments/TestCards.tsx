import { Alert } from '#web/ui/Alert.tsx'

/** Numbers that the sandbox knows; any other is refused. */
const testCards = [
  { number: '4242 4242 4242 4242', what: 'pays' },
  { number: '4000 0025 0000 3155', what: 'your bank asks first' },
  { number: '4000 0000 0000 0002', what: 'is declined' },
]

/** Shown as long as no real money moves. */
export function TestCards() {
  return (
    <Alert tone="info" title="This is a demo: no real money moves">
      <p>Please use one of these numbers, with any future date and any 3 digits.</p>
      <ul className="mt-1.5 flex flex-col gap-1">
        {testCards.map(({ number, what }) => (
          <li key={number} className="flex flex-wrap justify-between gap-x-4">
            <span className="font-semibold tabular-nums select-all">{number}</span>
            <span className="text-soft">{what}</span>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
