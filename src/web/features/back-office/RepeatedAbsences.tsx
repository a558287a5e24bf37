import { useQuery } from '@tanstack/react-query'
import type { RepeatedAbsence } from '#contract/back-office/absences.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { absencesQuery } from './admin-queries.ts'
import { formatInstant } from './admin-labels.ts'
import { ReasonDialog } from './ReasonDialog.tsx'
import { TaskAlert } from './TaskAlert.tsx'
import { useRowDialog } from './use-row-dialog.tsx'

/** Practitioners who did not come to two sessions within 30 days. Renders nothing if there are none. */
export function RepeatedAbsences() {
  const query = useQuery(absencesQuery())
  const { open, dialog } = useRowDialog<RepeatedAbsence>((absence, onClose) => (
    <ResolveDialog absence={absence} onClose={onClose} />
  ))
  return (
    <>
      <TaskAlert
        query={query}
        one="A practitioner repeatedly did not come"
        many="practitioners repeatedly did not come"
        failure="Repeated absences did not load"
        label="Practitioners who did not come"
        renderTask={(absence) => (
          <Absence key={absence.practitioner_id} absence={absence} onResolve={() => open(absence)} />
        )}
      >
        <p>
          Clients waited alone in the room. Their sessions are cancelled and refunded. Call the practitioner
          and ask whether they are well; suspend them if clients would go on waiting in vain.
        </p>
      </TaskAlert>
      {dialog}
    </>
  )
}

function Absence({ absence, onResolve }: { absence: RepeatedAbsence; onResolve(): void }) {
  const { practitioner_id: id, full_name: name, sessions } = absence
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
      <span className="min-w-0 grow basis-56">
        <TextLink
          to={`/admin/practitioner?id=${id}`}
          className="inline-block text-base font-semibold break-words"
        >
          {name}
        </TextLink>
        <span className="block">{sessions.map(({ starts_at }) => formatInstant(starts_at)).join('; ')}</span>
      </span>
      <Button size="small" variant="secondary" aria-label={`Mark as dealt with: ${name}`} onPress={onResolve}>
        Mark as dealt with
      </Button>
    </li>
  )
}

function ResolveDialog({ absence, onClose }: { absence: RepeatedAbsence; onClose(): void }) {
  const resolve = useAction('POST /admin/practitioners/{id}/resolve-absences', {
    invalidates: [['admin', 'no-shows']],
    onDone: () => showToast('The absences are dealt with.'),
  })
  return (
    <ReasonDialog
      title="Mark this as dealt with?"
      lead="It leaves this list. Another absence within 30 days brings it back."
      label="What was done"
      description="It is kept in the audit log."
      confirmLabel="Mark as dealt with"
      limits={limitsOf('POST /admin/practitioners/{id}/resolve-absences', 'reason')}
      onConfirm={(reason) =>
        resolve.send({
          params: { id: absence.practitioner_id },
          body: { reason, shown_sessions: absence.sessions.length },
        })
      }
      onClose={onClose}
    />
  )
}
