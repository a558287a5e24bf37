/*
 * What time zones are called. Browser and server load this file, so it knows no zod.
 */

/** Older names that browsers still report, each with the name of today. */
const legacyNames: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** The name that the list of zones has. An older browser may not know it: its own name is for formatting. */
export const zoneNameOfToday = (zone: string): string => legacyNames[zone] ?? zone

/** `New York` out of `America/New_York`. */
export function zoneCity(zone: string): string {
  const name = zoneNameOfToday(zone)
  return (name.split('/').at(-1) ?? name).replaceAll('_', ' ')
}

/** `London time`: the clock of what recurs all year, when its name of one season would be wrong in the other. */
export const zoneTime = (zone: string): string => `${zoneCity(zone)} time`
