import { readFile } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { findPdfFault, type PdfFault } from './pdf.ts'

/** What the bytes of a file say about it. The content type is undefined for a type that is not recognised. */
export type Inspection = { contentType: string | undefined; pdfFault: PdfFault | undefined }

/** Reads the type of a file from its bytes, and looks through a PDF. Time and memory grow with the file's size at most. */
export async function inspectFile(path: string): Promise<Inspection> {
  const found = await fileTypeFromFile(path)
  const contentType = found?.mime
  if (contentType !== 'application/pdf') return { contentType, pdfFault: undefined }
  return { contentType, pdfFault: await findPdfFault(await readFile(path)) }
}
