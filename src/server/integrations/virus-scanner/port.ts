/** Looks for viruses in a file before it is kept. */
export type VirusScanner = {
  /** @throws Error when the scanner is away, takes too long or cannot tell */
  isInfected(path: string): Promise<boolean>
}
