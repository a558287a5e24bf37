/** "1 mile", "2.3 miles". */
export function milesLabel(miles: number): string {
  return miles === 1 ? '1 mile' : `${miles} miles`
}
