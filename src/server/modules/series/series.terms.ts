import type { SeriesTerms } from '#contract/series/series.ts'

/** What a client agrees to. A change of the text is a new version. */
export const seriesTerms: SeriesTerms = {
  version: 'series-2026-11-23',
  text: [
    'Your hour is kept for you every time, ten weeks ahead. Each session is paid by itself.',
    'We take the money for a session from your card 48 hours before it starts, and write to you a day before that. Free until we take the payment: skip or move a session until then and you pay nothing.',
    'If a payment does not go through, we ask you to pay by 24 hours before the session. Without a payment by then, the session is cancelled and costs nothing.',
    'Once a session is paid, it can be moved or cancelled within 48 hours of reserving it, or until 48 hours before it starts.',
    'The price stays as it is. A new price is announced at least four weeks ahead, and applies only if you accept it.',
    'You can end your regular sessions in one step, at any time, in My Sessions. Sessions that are paid stay booked; all others are given up at no cost.',
  ],
}
