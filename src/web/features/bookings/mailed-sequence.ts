/**
 * The sequence that the link of a mail carries: that of the session when the mail was composed. Undefined without one,
 * and for anything but a whole number of at most nine digits.
 */
export function mailedSequence(search: URLSearchParams): number | undefined {
  const sequence = search.get('sequence') ?? ''
  return /^(0|[1-9]\d{0,8})$/.test(sequence) ? Number(sequence) : undefined
}
