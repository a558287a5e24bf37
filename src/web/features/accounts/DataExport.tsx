import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { dayIn, viewerZone } from '#web/lib/time.ts'
import { Button } from '#web/ui/Button.tsx'
import { Alert } from '#web/ui/Alert.tsx'

type State =
  | { step: 'ready' | 'making' }
  | { step: 'saved'; name: string }
  | { step: 'failed'; error: unknown }

/** Saves everything that is kept about the client as a file on this device. */
export function DataExport() {
  const [state, setState] = useState<State>({ step: 'ready' })

  async function save(): Promise<void> {
    setState({ step: 'making' })
    try {
      const answer = await callApi('GET /client/export')
      const name = `hearth-data-${dayIn(serverNow(), viewerZone())}.json`
      saveFile(name, new Blob([`${JSON.stringify(answer, null, 2)}\n`], { type: 'application/json' }))
      setState({ step: 'saved', name })
    } catch (error) {
      setState({ step: 'failed', error })
    }
  }

  return (
    <div className="flex flex-col gap-6">
      {state.step === 'saved' && (
        <Alert tone="success" live="polite" title="Your file is made">
          Your browser saves it as {state.name}. Keep it as safe as a letter from your doctor: it says that
          you looked for help, and with whom.
        </Alert>
      )}
      {state.step === 'failed' && (
        <Alert tone="danger" live="assertive" title="Your file could not be made">
          {messageOf(state.error)}
        </Alert>
      )}
      <div>
        <Button
          isPending={state.step === 'making'}
          pendingLabel="Making your file"
          onPress={() => void save()}
        >
          <IconDownload aria-hidden size={20} />
          Download my data
        </Button>
      </div>
    </div>
  )
}
