/** An upload on this machine's disk while it is inspected. The client's file name is not read. */
export type ReceivedFile = {
  path: string
  bytes: number
  /** Fields of the form that stood before the file. */
  fields: Readonly<Record<string, string>>
}
