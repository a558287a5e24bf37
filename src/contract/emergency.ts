/** Whom to call in the United Kingdom when it cannot wait. The offline page, which has no script, says the same. */
export const emergencyNumbers = [
  { name: 'In an emergency call', number: '999', words: 'if you or someone else is in danger now' },
  { name: 'NHS', number: '111', words: 'for urgent help from the NHS; choose the mental health option' },
  { name: 'Samaritans', number: '116 123', words: 'Samaritans, free at any hour, about anything' },
] as const

/** The address that a phone dials. */
export function dialled(number: string): string {
  return `tel:${number.replaceAll(' ', '')}`
}
