import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '#web/lib/api-error.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from './Button.tsx'
import type { ButtonLook } from './button-look.ts'
import { showToast } from './Toast.tsx'

/** Fetches a file that only its owner may have, and hands it to the browser to save. */
export function FileButton({
  label,
  name,
  size = 'small',
  fetchFile,
}: {
  /** On the button: 'PDF'. */
  label: string
  /** What a screen reader hears: 'Invoice 2026-0001 as PDF'. */
  name: string
  size?: ButtonLook['size']
  fetchFile(): Promise<{ blob: Blob; name: string }>
}) {
  const [isPending, setPending] = useState(false)
  async function download(): Promise<void> {
    setPending(true)
    try {
      const file = await fetchFile()
      await saveFile(file.name, file.blob)
    } catch (error) {
      showToast(`${name} could not be downloaded. ${messageOf(error)}`, 'danger')
    } finally {
      setPending(false)
    }
  }

  return (
    <Button
      size={size}
      variant="secondary"
      aria-label={name}
      isPending={isPending}
      pendingLabel="Downloading"
      onPress={() => void download()}
    >
      <IconDownload aria-hidden size={18} />
      {label}
    </Button>
  )
}
