import { useEffect, useRef, useState } from 'react'
import { focusLate } from '#web/lib/focus-late.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'

/**
 * Shows a private document in place, by a link that expires after a minute. The audit log records each request for a
 * link, so the link is requested only when the admin presses the button.
 */
export function DocumentView({
  practitionerId,
  documentId,
  name,
}: {
  practitionerId: number
  documentId: string
  name: string
}) {
  const [isBroken, setBroken] = useState(false)
  const link = useAction('POST /admin/practitioners/{id}/documents/{document_id}/link', {
    onDone: () => setBroken(false),
  })
  const shown = link.answer
  const box = useRef<HTMLDivElement>(null)
  const wasShown = useRef(false)

  // The button that was pressed goes: what comes in its place has the focus.
  useEffect(() => {
    const isShown = shown !== undefined
    if (isShown !== wasShown.current) focusLate(box.current?.querySelector<HTMLElement>('a, button') ?? null)
    wasShown.current = isShown
  }, [shown])

  return (
    <div ref={box} className="flex flex-col gap-3">
      <ErrorAlert
        title="The document did not open"
        error={isBroken ? new Error('The picture did not load.') : link.error}
      />
      {shown ? (
        <>
          {shown.content_type !== 'application/pdf' && (
            <img
              src={shown.url}
              alt={name}
              className="max-h-[80vh] max-w-full self-start rounded-md border border-line"
              onError={() => setBroken(true)}
            />
          )}
          <div className="flex flex-wrap items-center gap-3">
            <ButtonLink
              to={shown.url}
              reloadDocument
              target="_blank"
              rel="noreferrer"
              size="small"
              prefetch="none"
            >
              {shown.content_type === 'application/pdf' ? 'Download the PDF' : 'Open in a new tab'}
            </ButtonLink>
            <Button size="small" variant="secondary" onPress={link.reset}>
              Hide
            </Button>
          </div>
          <p className="text-sm text-soft">
            The link works for a minute. If it no longer opens, hide it and show it again.
          </p>
        </>
      ) : (
        <div>
          <Button
            size="small"
            variant="secondary"
            isPending={link.isPending}
            aria-label={`Show the document: ${name}`}
            onPress={() => link.start({ params: { id: practitionerId, document_id: documentId } })}
          >
            Show the document
          </Button>
        </div>
      )}
    </div>
  )
}
