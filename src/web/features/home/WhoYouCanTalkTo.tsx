import { foundTherapistsPath } from '#web/lib/site.ts'
import type { PersonLook } from '#web/ui/illustrations/Person.tsx'
import { PersonInArch } from '#web/ui/illustrations/PersonInArch.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'

const professions: { name: string; text: string; look: PersonLook; ground: 'sand' | 'sage' }[] = [
  {
    name: 'Counsellors',
    text: 'Space to talk through what is happening, and to find your own way forward.',
    look: { skin: 3, hair: 'curls', top: 'ember' },
    ground: 'sand',
  },
  {
    name: 'CBT therapists',
    text: 'Practical work on the thoughts and habits that keep a problem going.',
    look: { skin: 1, hair: 'crop', top: 'sand', hasGlasses: true },
    ground: 'sage',
  },
  {
    name: 'Psychologists',
    text: 'A thorough look at how you think and feel, and treatment by talking.',
    look: { skin: 2, hair: 'scarf', top: 'sage' },
    ground: 'sand',
  },
  {
    name: 'Psychiatrists',
    text: 'Medical doctors, who diagnose and can prescribe medication.',
    look: { skin: 2, hair: 'long', top: 'pine' },
    ground: 'sage',
  },
]

/** The four professions in a line each: many do not know the difference, and should not have to ask. */
export function WhoYouCanTalkTo() {
  return (
    <section aria-labelledby="professions" className="bg-sunken">
      <div className="page flex flex-col gap-8 py-14">
        <div className="max-w-2xl">
          <h2 id="professions" className="text-3xl">
            Who you can talk to
          </h2>
          <p className="mt-2 text-lg text-soft">
            All of them are regulated professionals, and you are never obliged to stay with anyone.
          </p>
        </div>
        <ul className="grid grid-cols-1 gap-6 sm:grid-cols-2 lg:grid-cols-4">
          {professions.map(({ name, text, look, ground }) => (
            <li key={name} className="flex flex-wrap items-end gap-4 lg:flex-col lg:items-start">
              <PersonInArch {...look} ground={ground} className="w-24 lg:w-40" />
              <div className="grow basis-28 lg:basis-auto">
                <h3 className="text-xl">{name}</h3>
                <p className="mt-1 text-sm text-soft">{text}</p>
              </div>
            </li>
          ))}
        </ul>
        <ButtonLink to={foundTherapistsPath} variant="secondary" className="self-start">
          Find out more
        </ButtonLink>
      </div>
    </section>
  )
}
