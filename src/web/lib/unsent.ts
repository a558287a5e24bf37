/**
 * A loader's data with a part that the server renders and does not send to the browser: the framework sends what can be
 * enumerated.
 */
export function withUnsent<Sent extends object, Unsent extends object>(
  sent: Sent,
  unsent: Unsent,
): Sent & Partial<Unsent> {
  for (const [name, value] of Object.entries(unsent)) {
    Object.defineProperty(sent, name, { value, enumerable: false })
  }
  return sent
}
