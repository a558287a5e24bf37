const megabyte = 1024 * 1024

/** What may be uploaded: how large it may be, and which types, as found in the bytes. */
export const kinds = {
  image: { maxBytes: 10 * megabyte, types: ['image/jpeg', 'image/png', 'image/webp'] },
  document: { maxBytes: 20 * megabyte, types: ['application/pdf', 'image/jpeg', 'image/png'] },
  video: { maxBytes: 200 * megabyte, types: ['video/mp4', 'video/webm'] },
  captions: { maxBytes: megabyte, types: ['text/vtt'] },
} as const satisfies Record<string, { maxBytes: number; types: readonly string[] }>

export type UploadKind = keyof typeof kinds

const spoken: Record<UploadKind, string> = {
  image: 'a JPEG, PNG or WebP picture',
  document: 'a PDF, or a JPEG or PNG picture of the document',
  video: 'an MP4 or WebM video',
  captions: 'a WebVTT file (.vtt) with captions',
}

/** "Please choose a PDF …, up to 20 MB." */
export function wanted(kind: UploadKind): string {
  return `Please choose ${spoken[kind]}, up to ${kinds[kind].maxBytes / megabyte} MB.`
}

/**
 * How a browser shows a private file: a picture, which the product has drawn itself, or a video in its place; a PDF, which
 * was uploaded as it is, never within the product's own origin. Its name does not tell its owner.
 */
export function documentDisposition(contentType: string): string {
  if (contentType.startsWith('video/')) return 'inline; filename="video"'
  return contentType === 'application/pdf'
    ? 'attachment; filename="document.pdf"'
    : 'inline; filename="document.jpg"'
}
