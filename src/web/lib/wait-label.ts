/** `in 40 seconds`, `in 3 minutes`: how long to wait, rounded up. */
export function waitLabel(seconds: number): string {
  if (seconds <= 60) return `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  const minutes = Math.ceil(seconds / 60)
  return `in ${minutes} minutes`
}
