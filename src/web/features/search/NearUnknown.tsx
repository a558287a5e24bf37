import type { PractitionerList } from '#contract/search.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { resultsPath, type SearchFilters, withFilters } from './filters.ts'

type Unknown = NonNullable<PractitionerList['meta']['near_unknown']>

const titles: Record<Unknown['reason'], string> = {
  postcode: 'We do not know this postcode',
  northern_ireland: 'We cannot look up postcodes in Northern Ireland',
  town: 'We do not know this place',
  ambiguous: 'There is more than one place of this name',
}

function advice({ reason, towns }: Unknown): string {
  if (towns.length === 0) return 'Check the spelling, or enter the first half of a postcode, such as LS6.'
  if (reason === 'northern_ireland') return 'They need a licence that we do not have. Choose the town:'
  if (reason === 'postcode') return 'Choose the town:'
  return reason === 'town' ? 'Did you mean one of these?' : 'Which one do you mean?'
}

/** Asks for another place where the one that was typed is no place, or several. The results leave it out until then. */
export function NearUnknown({ filters, unknown }: { filters: SearchFilters; unknown: Unknown }) {
  return (
    <Alert tone="info" title={titles[unknown.reason]}>
      <p>{advice(unknown)}</p>
      {unknown.towns.length > 0 && (
        <ul className="flex flex-wrap gap-x-5">
          {unknown.towns.map((town) => (
            <li key={town}>
              <TextLink
                to={resultsPath(withFilters(filters, { near: town }))}
                preventScrollReset
                className="tappable"
              >
                {town}
              </TextLink>
            </li>
          ))}
        </ul>
      )}
    </Alert>
  )
}
