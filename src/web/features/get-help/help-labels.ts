import type { HelpDispatch } from '#contract/get-help/help-dispatch.ts'
import { formatPounds } from '#web/lib/money.ts'
import { returnedMoneyLabel } from '#web/lib/returned-money.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'

/** The specification's, word for word. */
export const texts = {
  searching: 'Please wait, we are searching Therapist for you...',
  found: 'Your Therapist',
  busy: 'Sorry, right now all our Therapists are busy',
  stillBusy: 'All our therapists are still busy.',
  booked: 'Session is booked, thank you!',
  searchAgain: 'Search available Therapist',
  others: 'See available Therapists',
}

/** Where the money of a search is, and what came back of it, in a title and a sentence. */
export function moneyLabel(
  { state, amount, promised_by }: HelpDispatch['money'],
  session: Parameters<typeof returnedMoneyLabel>[0],
): { title: string; text: string } {
  const sum = formatPounds(amount)
  const returned = returnedMoneyLabel(session)
  const failed = session.refund?.state === 'failed' ? returned : undefined
  switch (state) {
    case 'not_paid':
      return { title: 'Nothing was charged', text: 'No money was reserved or taken.' }
    case 'reserved':
      return {
        title: `${sum} reserved, nothing charged`,
        text: 'It is taken only once a therapist has accepted.',
      }
    case 'taken':
      return { title: `${sum} paid`, text: returned ?? 'All of it goes to your therapist.' }
    case 'returning':
      return {
        title: `Your ${sum} is on its way back`,
        text:
          failed ??
          (promised_by
            ? `You do not have to do anything. It is with your bank within the next 24 hours, by ${formatDayAndTime(promised_by, viewerZone())} at the latest.`
            : (returned ?? 'You do not have to do anything. It is with your bank within the next 24 hours.')),
      }
    case 'returned':
      break
  }
  return {
    title: `Your ${sum} has been refunded`,
    text: returned ?? 'Your bank has it. It may take them a few days to show it.',
  }
}
