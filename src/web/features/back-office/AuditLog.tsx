import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Form, useSearchParams, useSubmit } from 'react-router'
import type { AuditEntry } from '#contract/back-office/back-office.ts'
import type { AnswerOf } from '#contract/endpoints.ts'
import { pageIn } from '#web/lib/search-params.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { ListFrame } from './ListFrame.tsx'
import { type AuditFilter, auditQuery } from './admin-queries.ts'
import { auditSubjectLabel, formatInstant } from './admin-labels.ts'

type AuditChain = AnswerOf<'GET /admin/audit'>['meta']['chain']

/** What admins did and looked at, newest first, narrowed by the address. */
export function AuditLog() {
  const [params] = useSearchParams()
  const submit = useSubmit()
  const filter = filterOf(params)
  const query = useQuery(auditQuery(filter))
  const formRef = useRef<HTMLFormElement>(null)
  const { action, actor, practitioner } = filter
  // The way back changes the address alone. The fields stay the same, so that the focus does.
  useEffect(() => {
    for (const [name, value] of Object.entries({ action, actor, practitioner })) {
      const field = formRef.current?.elements.namedItem(name)
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value
    }
  }, [formRef, action, actor, practitioner])
  const isFiltered = Boolean(filter.action || filter.actor || filter.practitioner)
  const actions = query.data?.meta.actions ?? []
  // One that is filtered by stays in the list, also while that is not there yet.
  const choices = filter.action && !actions.includes(filter.action) ? [filter.action, ...actions] : actions
  return (
    <div className="flex flex-col gap-6">
      {query.data && <Wholeness chain={query.data.meta.chain} />}
      <search>
        <Form
          ref={formRef}
          className="flex flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            const kept = new URLSearchParams()
            for (const [name, value] of new FormData(event.currentTarget)) {
              if (typeof value === 'string' && value.trim() !== '') kept.set(name, value.trim())
            }
            void submit(kept)
          }}
        >
          <Select
            label="Action"
            name="action"
            defaultValue={filter.action}
            className="grow basis-52 sm:max-w-xs"
          >
            <option value="">Every action</option>
            {choices.map((action) => (
              <option key={action} value={action}>
                {capitalised(action)}
              </option>
            ))}
          </Select>
          <TextField
            label="Who did it"
            name="actor"
            defaultValue={filter.actor}
            autoComplete="off"
            maxLength={100}
            className="grow basis-52 sm:max-w-xs"
          />
          <TextField
            label="Practitioner’s number"
            name="practitioner"
            inputMode="numeric"
            defaultValue={filter.practitioner}
            autoComplete="off"
            maxLength={9}
            className="grow basis-40 sm:max-w-52"
          />
          <Button type="submit" variant="secondary">
            Show
          </Button>
        </Form>
      </search>
      <ListFrame
        query={query}
        label="Entries"
        empty={{
          title: 'No entries',
          words: isFiltered
            ? 'Nothing matches. Clear the filters to see everything.'
            : 'What admins do and view will appear here.',
        }}
        hrefFor={(page) => {
          const next = new URLSearchParams(params)
          next.set('page', String(page))
          return `/admin/audit?${next.toString()}`
        }}
      >
        {(entry) => <Entry key={entry.id} entry={entry} />}
      </ListFrame>
    </div>
  )
}

/** Whether every entry is as it was written, as the daily check found. */
function Wholeness({ chain }: { chain: AuditChain }) {
  const { checked_at: checkedAt, whole_since: wholeSince, wrong_entry: wrongEntry } = chain
  if (checkedAt === null)
    return <p className="text-sm text-soft">Not checked yet. The log is checked every night.</p>
  if (wrongEntry !== null) {
    return (
      <Alert tone="danger" title="The audit log has been changed">
        <p>
          {`Entry ${wrongEntry} of the log is not as it was written, so please do not rely on it or on any later ones. Found ${formatInstant(checkedAt)}.`}
        </p>
      </Alert>
    )
  }
  if (wholeSince === null) return null
  return (
    <p className="text-sm text-soft">
      {`Unchanged since ${formatInstant(wholeSince)}. Checked ${formatInstant(checkedAt)}.`}
    </p>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  return (
    <li className="flex flex-col gap-1 rounded-lg border border-line bg-surface px-4 py-3">
      <p>
        <span className="font-semibold">{capitalised(entry.action)}</span>
        {': '}
        <span className="break-words">{auditSubjectLabel(entry.subject)}</span>
      </p>
      {entry.reason && <p className="text-sm break-words">{`Reason: ${entry.reason}`}</p>}
      <p className="text-sm break-words text-soft">{`${formatInstant(entry.at)}, by ${entry.actor}`}</p>
      {entry.practitioner_id !== null && (
        <TextLink
          to={`/admin/practitioner?id=${entry.practitioner_id}`}
          className="tappable-small self-start text-sm"
        >
          {`Open practitioner ${entry.practitioner_id}`}
        </TextLink>
      )}
    </li>
  )
}

function filterOf(params: URLSearchParams): AuditFilter {
  const text = (name: string) => (params.get(name) ?? '').trim().slice(0, 100)
  const practitioner = text('practitioner')
  return {
    action: text('action').slice(0, 60),
    actor: text('actor'),
    practitioner: /^[1-9]\d{0,8}$/.test(practitioner) ? practitioner : '',
    page: pageIn(params),
  }
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
