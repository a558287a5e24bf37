/** A UUID of version 4. Browsers give one by themselves to secure pages alone. */
export function randomId(): string {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- missing where the page is not secure
  if (crypto.randomUUID) return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const variant = '89ab'.charAt((bytes[8] ?? 0) % 4)
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, `$1-$2-4$3-${variant}$4-$5`)
}
