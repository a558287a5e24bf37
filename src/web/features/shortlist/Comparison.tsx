import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PractitionerProfile } from '#contract/practitioners/practitioners.ts'
import { shortlistPath } from '#web/lib/site.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Looking } from '#web/ui/illustrations/Scenes.tsx'
import type { ComparisonState } from './compared.ts'
import { comparisonQuery } from './shortlist-queries.ts'

/** A fact of each person, in a row of its own. */
export type ComparedFact = { name: string; of(person: PractitionerProfile): ReactNode }

type Props = {
  ids: readonly number[]
  /** Names the time zone of the times; absent where no other clock is meant. */
  zoneNote: string | undefined
  facts: readonly ComparedFact[]
  renderPerson(person: PractitionerProfile): ReactNode
  renderActions(person: PractitionerProfile): ReactNode
}

/** Up to three people side by side. */
export function Comparison(props: Props) {
  return (
    <div className="page">
      <PageHeading
        title="Side by side"
        above={
          <TextLink
            to={shortlistPath}
            state={{ compared: [...props.ids] } satisfies ComparisonState}
            className="tappable self-start"
          >
            Back to your shortlist
          </TextLink>
        }
      />
      {props.ids.length === 0 ? (
        <EmptyState
          title="Nothing to compare yet"
          illustration={<Looking className="w-44" />}
          actions={<ButtonLink to={shortlistPath}>Go to your shortlist</ButtonLink>}
        >
          <p>Choose two or three people on your shortlist first.</p>
        </EmptyState>
      ) : (
        <Loaded {...props} />
      )}
    </div>
  )
}

function Loaded(props: Props) {
  const query = useQuery(comparisonQuery(props.ids))
  if (query.isPending) return <Skeleton className="h-120" />
  if (query.isError) return <QueryError query={query} title="The comparison did not load" />
  const people = query.data.data
  const missing = props.ids.length - people.length
  if (people.length === 0) {
    return (
      <EmptyState
        title="They are not taking clients here at the moment"
        illustration={<Looking className="w-44" />}
        actions={<ButtonLink to={shortlistPath}>Go to your shortlist</ButtonLink>}
      >
        <p>You can choose others on your shortlist.</p>
      </EmptyState>
    )
  }
  return (
    <>
      {missing > 0 && (
        <Alert tone="info" className="mb-5">
          {missing === 1
            ? 'One person you chose is not taking clients here at the moment.'
            : `${missing} people you chose are not taking clients here at the moment.`}
        </Alert>
      )}
      {props.zoneNote && <p className="pb-4 text-sm text-soft">{props.zoneNote}</p>}
      <Table people={people} {...props} />
    </>
  )
}

type TableProps = Omit<Props, 'ids' | 'zoneNote'> & { people: readonly PractitionerProfile[] }

function Table({ people, facts, renderPerson, renderActions }: TableProps) {
  return (
    // A table of three is wider than a phone; it is scrolled by itself, also by the keyboard.
    <section
      aria-label="Comparison"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a part that scrolls takes the focus
      tabIndex={0}
      className="relative -mx-4 overflow-x-auto px-4 pb-4"
    >
      <table
        className="w-full table-fixed border-separate border-spacing-0"
        style={{ minWidth: `${people.length * 10}rem` }}
      >
        <caption className="sr-only">The people chosen, a fact in each row</caption>
        <thead>
          <tr>
            {people.map((person) => (
              <th
                key={person.id}
                scope="col"
                className="px-3 pb-4 text-left align-top font-normal first:pl-0"
              >
                {renderPerson(person)}
              </th>
            ))}
          </tr>
        </thead>
        {facts.map((fact) => (
          <tbody key={fact.name}>
            <tr>
              <th
                scope="rowgroup"
                colSpan={people.length}
                className="border-t border-line pt-3 text-left text-sm font-semibold text-soft"
              >
                {fact.name}
              </th>
            </tr>
            <tr>
              {people.map((person) => (
                <td key={person.id} className="px-3 pt-1 pb-3 align-top first:pl-0">
                  {fact.of(person)}
                </td>
              ))}
            </tr>
          </tbody>
        ))}
        <tfoot>
          <tr>
            {people.map((person) => (
              <td key={person.id} className="border-t border-line px-3 pt-4 align-top first:pl-0">
                {renderActions(person)}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
