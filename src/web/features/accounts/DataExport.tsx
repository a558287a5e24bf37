import { IconDownload } from '@tabler/icons-react'
import { callApi } from '#web/lib/api.ts'
import { serverNow } from '#web/lib/clock.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { dayIn, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'

/** Saves everything that is kept about the client as a file on this device. */
export function DataExport() {
  const save = useAction(async () => {
    const answer = await callApi('GET /client/export')
    const name = `hearth-data-${dayIn(serverNow(), viewerZone())}.json`
    const isSaved = await saveFile(
      name,
      new Blob(
        [
          `${JSON.stringify(answer, null, 2)}
`,
        ],
        { type: 'application/json' },
      ),
    )
    return isSaved ? name : undefined
  })

  return (
    <div className="flex flex-col gap-6">
      {save.answer && (
        <Alert tone="success" live="polite" title="Your file is ready">
          Your browser is saving it as {save.answer}. Keep it as safe as a letter from your doctor: it shows
          that you looked for help, and from whom.
        </Alert>
      )}
      <ErrorAlert title="Your file could not be made" error={save.error} />
      <div>
        <Button isPending={save.isPending} pendingLabel="Preparing your file" onPress={() => save.start()}>
          <IconDownload aria-hidden size={20} />
          Download my data
        </Button>
      </div>
    </div>
  )
}
