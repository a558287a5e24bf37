import type { VideoOrder } from '#contract/back-office/practitioners.ts'
import { type Upload, uploadFile } from '#web/lib/upload.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FileUpload } from '#web/ui/FileUpload.tsx'
import { showToast } from '#web/ui/Toast.tsx'

/** Sends the video for the practitioner to approve. */
export function UploadVideoDialog({ order, onClose }: { order: VideoOrder; onClose(): void }) {
  const upload = useAction(
    (file: File, options: Pick<Upload, 'onProgress' | 'signal'>) =>
      uploadFile('POST /admin/video-orders/{id}/video', {
        ...options,
        params: { id: order.practitioner_id },
        field: 'video',
        file,
        fields: { version: String(order.version) },
      }),
    {
      invalidates: [['admin', 'video-orders']],
      onDone() {
        showToast(`${order.full_name} can watch the video now.`)
        onClose()
      },
    },
  )
  return (
    <Dialog
      isStubborn={upload.isPending}
      onClose={onClose}
      title={`Upload the video of ${order.full_name}`}
      footer={
        <Button variant="secondary" onPress={onClose} isDisabled={upload.isPending}>
          Go back
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p>They get an email and can watch it. It goes on their profile only once they approve it.</p>
        <FileUpload
          label="Video"
          kind="video"
          send={async (file, options) => {
            await upload.send(file, options)
            return undefined
          }}
        />
      </div>
    </Dialog>
  )
}
