/*
 * How the city of a time zone is called. Browser and server load this file, so it knows no zod.
 */

/** Cities of zones that browsers still report by an old name. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Asmara',
  'America/Godthab': 'Nuuk',
  'Asia/Calcutta': 'Kolkata',
  'Asia/Katmandu': 'Kathmandu',
  'Asia/Rangoon': 'Yangon',
  'Asia/Saigon': 'Ho Chi Minh City',
  'Atlantic/Faeroe': 'Faroe',
  'Europe/Kiev': 'Kyiv',
  'Pacific/Enderbury': 'Kanton',
  'Pacific/Ponape': 'Pohnpei',
  'Pacific/Truk': 'Chuuk',
}

/** `New York` out of `America/New_York`. */
export function zoneCity(zone: string): string {
  return renamed[zone] ?? (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}

/** `London time`: the clock of what recurs all year, when its name of one season would be wrong in the other. */
export const zoneTime = (zone: string): string => `${zoneCity(zone)} time`
