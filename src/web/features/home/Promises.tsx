const promises = [
  {
    title: 'Every practitioner is vetted',
    text: 'We check identity, licence and background before anyone is listed, and insurance where there is one.',
  },
  {
    title: 'They keep 100% of the fee',
    text: 'Hearth is a free marketplace. Practitioners set their own prices, and you see them first.',
  },
  {
    title: '20% off with a referral code',
    text: 'A friend’s code makes your first session cheaper. The practitioner still gets the whole fee.',
  },
  {
    title: 'You can change your mind',
    text: 'Cancel or move a session within 48 hours after booking, or up to 48 hours before it.',
  },
]

/** What one may rely on, before anything is asked for. */
export function Promises() {
  return (
    <section aria-label="What you can rely on" className="border-y border-line bg-surface">
      <ul className="page grid grid-cols-1 gap-x-8 gap-y-6 py-8 sm:grid-cols-2 lg:grid-cols-4">
        {promises.map(({ title, text }) => (
          <li key={title} className="border-l-3 border-ember pl-4">
            <p className="font-semibold">{title}</p>
            <p className="mt-1 text-sm text-soft">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
