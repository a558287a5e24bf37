import { IconChevronRight } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { fold } from '#web/lib/fold.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { Section } from '#web/ui/Section.tsx'
import type { HelpIssue } from './IssuePage.tsx'
import { helpIssuePath } from './help-paths.ts'

/** The commonest come first; a long list is a lot to read in distress. */
const shownFirst = 8

/** What people need help with; each leads to its page. What is typed to find one stays on the page. */
export function IssueList({ issues }: { issues: readonly HelpIssue[] }) {
  const [wanted, setWanted] = useState('')
  const [isWhole, setWhole] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const words = fold(wanted).split(' ').filter(Boolean)
  const found = issues.filter(({ issue_name, description }) => {
    const text = fold(`${issue_name} ${description}`)
    return words.every((word) => text.includes(word))
  })
  const shown = isWhole || words.length > 0 ? found : found.slice(0, shownFirst)

  // The button that showed the rest is gone; the focus goes to what it showed.
  useEffect(() => {
    if (isWhole) list.current?.querySelectorAll('a')[shownFirst]?.focus({ preventScroll: true })
  }, [isWhole])

  return (
    <Section title="What do you need help with?" className="flex flex-col gap-4">
      <TextField
        type="search"
        label="Search this list"
        autoComplete="off"
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <output className="text-sm text-soft empty:sr-only">
        {words.length > 0 && countWords(found.length)}
      </output>
      {shown.length > 0 && (
        <ul ref={list} className="overflow-hidden rounded-xl border border-line bg-surface shadow-low">
          {shown.map(({ issue_id, issue_name, description }) => (
            <li key={issue_id} className="border-b border-line last:border-b-0">
              <Link
                to={helpIssuePath(issue_id)}
                className="group flex min-h-16 items-center gap-3 px-4 py-3 no-underline transition-colors hover:bg-raised focus-visible:-outline-offset-3 sm:px-6"
              >
                <span className="min-w-0 grow">
                  <span className="block font-semibold group-hover:text-action">{issue_name}</span>
                  <span className="block text-sm text-soft">{description}</span>
                </span>
                <IconChevronRight aria-hidden size={20} className="shrink-0 text-faint" />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {shown.length < found.length && (
        <Button variant="secondary" className="sm:self-start" onPress={() => setWhole(true)}>
          Show all {found.length}
        </Button>
      )}
    </Section>
  )
}

function countWords(count: number): string {
  if (count === 0)
    return 'Nothing matches this word. Choose whatever comes closest: you can talk about anything.'
  return count === 1 ? '1 found' : `${count} found`
}
