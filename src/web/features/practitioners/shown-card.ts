import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'

/** The fields of a practitioner that a card shows. */
export type ShownCard = Omit<
  PractitionerCard,
  'id' | 'first_name' | 'last_name' | 'cc_id' | 'main_image' | 'works_with_insurance' | 'available_hours'
>

/** Drops the fields that a card does not show: a page is sent with its data, and a list has many cards. */
export function shownCard({
  id: _id,
  first_name: _firstName,
  last_name: _lastName,
  cc_id: _chatId,
  main_image: _image,
  works_with_insurance: _insurance,
  available_hours: _hours,
  ...shown
}: PractitionerCard): ShownCard {
  return shown
}
