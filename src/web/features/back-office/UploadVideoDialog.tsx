import { useState } from 'react'
import type { VideoOrder } from '#contract/back-office/practitioners.ts'
import { uploadFile } from '#web/lib/upload.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FileUpload } from '#web/ui/FileUpload.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { useVideoStep } from './use-video-step.ts'

/** Sends the video for the practitioner to approve. */
export function UploadVideoDialog({ order, onClose }: { order: VideoOrder; onClose(): void }) {
  const step = useVideoStep()
  const [isSending, setSending] = useState(false)
  return (
    <Dialog
      isOpen
      isStubborn={isSending}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      title={`Upload the video of ${order.full_name}`}
      footer={
        <Button variant="secondary" onPress={onClose} isDisabled={isSending}>
          Go back
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p>They get a mail and watch it. It is on their profile only once they approve it.</p>
        <FileUpload
          label="Video"
          kind="video"
          send={async (file, options) => {
            setSending(true)
            try {
              await step(() =>
                uploadFile('POST /admin/video-orders/{id}/video', {
                  ...options,
                  params: { id: order.practitioner_id },
                  field: 'video',
                  file,
                  fields: { version: String(order.version) },
                }),
              )
            } finally {
              setSending(false)
            }
            showToast(`${order.full_name} can watch the video now.`)
            onClose()
            return undefined
          }}
        />
      </div>
    </Dialog>
  )
}
