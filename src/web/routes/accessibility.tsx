import { tested } from '#web/lib/accessibility.gen.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import type { PlainHandle } from '#web/lib/plain-page.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ContactLink } from '#web/ui/ContactLink.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Prose } from '#web/ui/Prose.tsx'

/** Loads the framework only once the reader uses the page. */
export const handle: PlainHandle = { isPlain: true }

export const meta = () =>
  pageMeta({
    title: pageTitle('Accessibility'),
    description:
      'How Hearth is made for everyone, what does not work yet, and how to reach us if you are stuck.',
  })

const pages = tested.areas.reduce((sum, area) => sum + area.pages, 0)
const listed = (texts: readonly string[]) => new Intl.ListFormat('en-GB').format(texts)

export default function Accessibility() {
  return (
    <div className="page max-w-3xl">
      <PageHeading
        title="Accessibility"
        lead="Getting help should not depend on how you see, hear, move or think."
      />
      <Prose>
        <p>
          Hearth is meant to be used by keyboard, with a screen reader, enlarged to 400%, in the colours that
          you have chosen and without animation. We aim for level AA of the Web Content Accessibility
          Guidelines 2.2.
        </p>

        <h2>If you are stuck</h2>
        <p>
          Write to us at <ContactLink /> and tell us what you wanted to do, and what you use. We can help you
          with a booking by mail, and we will tell you what we do about it.
        </p>

        <h2>What does not work yet</h2>
        <ul>
          <li>The session room has no captions. You can write and read messages beside the picture.</li>
          <li>
            Some introduction videos have no captions. Where there is a transcript, the profile shows it.
          </li>
          <li>
            Invoices and statements for practitioners are PDF files without tags, which screen readers read
            less well. Their sums are on the pages too.
          </li>
          <li>
            We test in one family of browsers, Chromium. Everything is made to work in the others as well; if
            something does not, please tell us.
          </li>
          <li>Pages of other companies, such as your bank’s, are not ours to change.</li>
        </ul>

        <h2>How each release is tested</h2>
        <p>
          A program looks at {pages} pages in many states of each, {listed(tested.looks)}, for anything that
          breaks a rule of {listed(tested.standards)}. A release is held back until it finds nothing. The main
          journeys are also gone through by keyboard alone. A program finds only some of what gets in people’s
          way, so please tell us the rest.
        </p>
        <ul>
          {tested.areas.map(({ area, pages: count }) => (
            <li key={area}>{count === 1 ? area : `${area}: ${count} pages`}</li>
          ))}
        </ul>
        <p>
          Written on <time dateTime="2026-11-26">26 November 2026</time>.
        </p>
      </Prose>
    </div>
  )
}
