import { useEffect, useRef, useState } from 'react'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'

type Shown = { url: string; content_type: string }

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
  const [shown, setShown] = useState<Shown>()
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const box = useRef<HTMLDivElement>(null)
  const wasShown = useRef(false)

  // The button that was pressed goes: what comes in its place has the focus.
  useEffect(() => {
    const isShown = shown !== undefined
    if (isShown !== wasShown.current) box.current?.querySelector<HTMLElement>('a, button')?.focus()
    wasShown.current = isShown
  }, [shown])

  async function show(): Promise<void> {
    setPending(true)
    setFailure(undefined)
    try {
      const params = { id: practitionerId, document_id: documentId }
      setShown(await callApi('POST /admin/practitioners/{id}/documents/{document_id}/link', { params }))
    } catch (thrown) {
      setFailure(thrown)
    } finally {
      setPending(false)
    }
  }

  return (
    <div ref={box} className="flex flex-col gap-3">
      {failure !== undefined && (
        <Alert tone="danger" live="assertive" title="The document did not open">
          {messageOf(failure)}
        </Alert>
      )}
      {shown ? (
        <>
          {shown.content_type !== 'application/pdf' && (
            <img
              src={shown.url}
              alt={name}
              className="max-h-[80vh] max-w-full self-start rounded-md border border-line"
              onError={() => setFailure(new Error('The picture did not load.'))}
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
              {shown.content_type === 'application/pdf' ? 'Download the PDF' : 'Open in a tab of its own'}
            </ButtonLink>
            <Button size="small" variant="secondary" onPress={() => setShown(undefined)}>
              Hide
            </Button>
          </div>
          <p className="text-sm text-soft">
            The link works for a minute. Hide it and show it again if it does not open any more.
          </p>
        </>
      ) : (
        <div>
          <Button
            size="small"
            variant="secondary"
            isPending={isPending}
            aria-label={`Show the document: ${name}`}
            onPress={() => void show()}
          >
            Show the document
          </Button>
        </div>
      )}
    </div>
  )
}
