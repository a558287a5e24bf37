/** An upload as it came, on this machine's disk for as long as it is looked at. Its name was not even read. */
export type ReceivedFile = {
  path: string
  bytes: number
  /** Fields of the form that stood before the file. */
  fields: Readonly<Record<string, string>>
}
