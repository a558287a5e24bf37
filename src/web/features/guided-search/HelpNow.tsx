import { Notice } from '#web/ui/Notice.tsx'

const lines = [
  { number: '999', href: 'tel:999', words: 'if you or somebody else is in danger now' },
  { number: '111', href: 'tel:111', words: 'for urgent help from the NHS; choose the mental health option' },
  { number: '116 123', href: 'tel:116123', words: 'Samaritans, at any hour, free, about anything' },
]

/** Where to turn at once, as soon as an answer hints at danger. */
export function HelpNow() {
  return (
    <Notice tone="warning" live="assertive" title="You need not be alone with this now">
      <p>Hearth is not made for emergencies. These people are there at this moment:</p>
      <ul className="mt-2 flex flex-col gap-1">
        {lines.map(({ number, href, words }) => (
          <li key={number}>
            <a
              href={href}
              className="inline-flex min-h-11 items-center text-lg font-semibold underline underline-offset-4"
            >
              {number}
            </a>{' '}
            {words}
          </li>
        ))}
      </ul>
      <p className="mt-1">You can go on with the questions whenever you like.</p>
    </Notice>
  )
}
