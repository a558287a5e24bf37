import { IconFileText } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { uploadFile, type UploadKey } from '#web/lib/upload.ts'
import { isDefinite } from '#web/lib/use-action.ts'
import { FileUpload, type FileUploadProps } from '#web/ui/FileUpload.tsx'
import { ChangedElsewhere, isChangedElsewhere } from './StepForm.tsx'
import { fileOnItsWay, useKeepPart, useStepPlace } from './step-place.ts'
import { therapistProfileQuery } from './therapist-profile.ts'

/** Endpoints that answer the practitioner's own profile. */
type ProfileUpload = Extract<UploadKey, `POST /therapist/${string}`>

type Props = Pick<FileUploadProps, 'label' | 'kind' | 'present' | 'error'> & {
  endpoint: ProfileUpload
  /** Name of the form's field on the wire. */
  field: string
  /** Looked at right before sending; a text stops it and is shown. */
  fields?: () => Record<string, string> | string
}

/** Sends a file of the own profile as soon as it is chosen. */
export function UploadField({ endpoint, field, fields, ...shown }: Props) {
  const { ifMatch, isSending, noteSending } = useStepPlace()
  const keep = useKeepPart()
  const endSending = useRef<() => void>(undefined)
  // What is not shown any more, such as after another choice, holds nothing back.
  useEffect(() => () => endSending.current?.(), [])
  const client = useQueryClient()

  /** Reads the profile again: the file may have been stored, and be in the way of another try as a newer version. */
  async function readAgain(): Promise<void> {
    await client.fetchQuery({ ...therapistProfileQuery(), staleTime: 0, retry: false }).catch(() => undefined)
  }

  return (
    <FileUpload
      {...shown}
      send={async (file, options) => {
        if (isSending) return fileOnItsWay
        const also = fields?.() ?? {}
        if (typeof also === 'string') return also
        const end = () => {
          if (endSending.current !== end) return
          endSending.current = undefined
          noteSending(false)
        }
        endSending.current = end
        noteSending(true)
        try {
          keep(await uploadFile(endpoint, { ...options, field, file, fields: also, ifMatch }))
        } catch (error) {
          if (!isDefinite(error)) await readAgain()
          throw error
        } finally {
          end()
        }
        return undefined
      }}
      renderFailure={(error) => (isChangedElsewhere(error) ? <ChangedElsewhere /> : undefined)}
    />
  )
}

/** What is there already, in a line with an icon. */
export function PresentFile({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex gap-3 rounded-lg border border-line bg-surface p-4">
      <IconFileText aria-hidden size={24} className="shrink-0 text-action" />
      <div>
        <p className="font-semibold">{title}</p>
        {children && <div className="text-sm text-soft">{children}</div>}
      </div>
    </div>
  )
}
