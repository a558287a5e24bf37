import { fileTypeFromFile } from 'file-type'
import { fail } from '../errors.ts'

const megabyte = 1024 * 1024

/** What may be uploaded: how large it may be, and which types, as found in the bytes. */
export const kinds = {
  image: { maxBytes: 10 * megabyte, types: ['image/jpeg', 'image/png', 'image/webp'] },
  document: { maxBytes: 20 * megabyte, types: ['application/pdf', 'image/jpeg', 'image/png'] },
  video: { maxBytes: 200 * megabyte, types: ['video/mp4', 'video/webm'] },
} as const satisfies Record<string, { maxBytes: number; types: readonly string[] }>

export type UploadKind = keyof typeof kinds

const spoken: Record<UploadKind, string> = {
  image: 'a JPEG, PNG or WebP picture',
  document: 'a PDF, or a JPEG or PNG picture of the document',
  video: 'an MP4 or WebM video',
}

/** "Please choose a PDF …, up to 20 MB." */
export function wanted(kind: UploadKind): string {
  return `Please choose ${spoken[kind]}, up to ${kinds[kind].maxBytes / megabyte} MB.`
}

/**
 * The content type of a file by its bytes; its name and what the sender called it count for nothing.
 * @throws 415 when it is none that the kind allows
 */
export async function contentTypeOf(path: string, kind: UploadKind): Promise<string> {
  const found = await fileTypeFromFile(path)
  const allowed: readonly string[] = kinds[kind].types
  if (!found || !allowed.includes(found.mime)) {
    throw fail('unsupported_media_type', `This file is not of a kind that we can take. ${wanted(kind)}`)
  }
  return found.mime
}

/** A private document opens where it was asked for, and its name tells nothing of whose it is when it is saved. */
export const documentDisposition = 'inline; filename="document"'
