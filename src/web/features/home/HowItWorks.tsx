import { foundTherapistsPath } from '#web/lib/site.ts'
import { ChoosingTime, Looking, Talking } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'

const steps = [
  {
    title: 'Find',
    picture: Looking,
    text: 'Tell us what it is about, or answer a few questions. Read about people before you decide.',
  },
  {
    title: 'Book',
    picture: ChoosingTime,
    text: 'Choose a time that suits you. You pay when you book, by card, at the price on the profile.',
  },
  {
    title: 'Talk',
    picture: Talking,
    text: 'Online from wherever you feel at ease, or face to face. You can message each other before and after.',
  },
]

export function HowItWorks() {
  return (
    <section aria-labelledby="how-it-works" className="page flex flex-col gap-8 py-14">
      <h2 id="how-it-works" className="text-3xl">
        How it works
      </h2>
      <ol className="grid grid-cols-1 gap-8 md:grid-cols-3">
        {steps.map(({ title, picture: Picture, text }, at) => (
          <li key={title} className="flex flex-wrap gap-5 md:flex-col md:gap-4">
            <Picture className="w-28 shrink-0 self-start sm:w-36 md:w-44" />
            <div className="grow basis-40 md:basis-auto">
              <h3 className="text-xl">
                <span className="mr-2 text-ember-text tabular-nums">{at + 1}.</span>
                {title}
              </h3>
              <p className="mt-1 text-soft">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <ButtonLink to={foundTherapistsPath} className="self-start">
        Book online
      </ButtonLink>
    </section>
  )
}
