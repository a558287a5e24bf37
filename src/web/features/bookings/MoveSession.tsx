import { useQuery } from '@tanstack/react-query'
import { Dialog } from '#web/ui/Dialog.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { EditLoading, EditSession, type MoveParts } from './EditSession.tsx'
import { appointmentQuery } from './booking-queries.ts'

type Props = {
  appointmentId: string
  onClose(): void
  parts: MoveParts
}

/** Moves a session that is known by its id alone, such as one of a series. */
export function MoveSession({ appointmentId, onClose, parts }: Props) {
  const query = useQuery(appointmentQuery(appointmentId))
  if (query.data) return <EditSession session={query.data} onClose={onClose} parts={parts} />
  return (
    <Dialog onClose={onClose} title="Book an appointment" look="side">
      {query.error ? (
        <QueryError title="The session did not load" query={query} level={3} />
      ) : (
        <EditLoading />
      )}
    </Dialog>
  )
}
