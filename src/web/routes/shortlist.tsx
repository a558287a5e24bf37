import { HeartButton } from '#web/features/shortlist/HeartButton.tsx'
import { ShortlistPage } from '#web/features/shortlist/ShortlistPage.tsx'
import { SavedPractitioner } from '#web/features/practitioners/SavedPractitioner.tsx'
import { serverNow } from '#web/lib/clock.ts'
import { pageTitle } from '#web/lib/site.ts'
import { zoneNote } from '#web/lib/time.ts'
import { pageZone, useViewerZone } from '#web/lib/viewer-zone.ts'

export const meta = () => [{ title: pageTitle('Your shortlist') }, { name: 'robots', content: 'noindex' }]

export default function Shortlist() {
  const zone = useViewerZone()
  const note = zoneNote(serverNow(), zone, pageZone)
  return (
    <ShortlistPage
      zoneNote={note && `Times are in ${note}.`}
      renderPerson={(person, choice) => (
        <SavedPractitioner
          practitioner={person}
          zone={zone}
          now={serverNow()}
          heart={<HeartButton practitionerId={person.id} name={person.full_name} />}
          choice={choice}
        />
      )}
    />
  )
}
