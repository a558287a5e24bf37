import { waitingIn } from './free-time.ts'
import { packStarts, type ShownCard } from './shown-card.ts'

/**
 * The cards of the document as the server has written them, in their order. A page is sent with them once, as markup; a
 * part that is not read back here changes as the page comes alive.
 */
export function writtenCards(): ShownCard[] {
  return [...document.querySelectorAll('#results .result-card')].map(cardOf)
}

function cardOf(card: Element): ShownCard {
  const text = (selector: string) => card.querySelector(selector)?.textContent ?? ''
  const profile = hrefOf(card.querySelector('.result-profile'))
  const [, value, total] = /^([\d.]+) \((\d+)\)$/.exec(text('.result-facts [aria-hidden]:last-of-type')) ?? []
  const amounts = [...text(':scope > p').matchAll(/£([\d,.]+)/g)].map(([, pounds]) => penceOf(pounds))
  const [min = 0, max = min] = amounts
  return {
    id: Number(queryOf(profile).get('practitionerId')),
    name: text('h3'),
    image: card.querySelector('img')?.getAttribute('src') ?? null,
    facts: text('.result-facts > p'),
    rating: value && total ? { value: Number(value), total: Number(total) } : null,
    meeting: without(' · ', card.querySelector('.result-facts > :last-child')?.lastChild?.textContent),
    about: text('.result-words > :first-child'),
    issues: without('Helps with: ', text('.result-words > p + p')),
    price: { min, max },
    starts: packStarts([...card.querySelectorAll('.result-foot > ul a')].map(startOf)),
    waiting: waitingIn(text('.result-no-times')),
    profile,
  }
}

function startOf(link: Element) {
  const query = queryOf(hrefOf(link))
  const type = query.get('type') === 'online' ? 'online' : 'face_to_face'
  return {
    starts_at: query.get('datetime') ?? '',
    appointment_type: type,
    service_id: Number(query.get('service')),
  } as const
}

const hrefOf = (link: Element | null) => link?.getAttribute('href') ?? ''
const queryOf = (path: string) => new URLSearchParams(path.slice(path.indexOf('?')))
const penceOf = (pounds = '') => Math.round(Number(pounds.replaceAll(',', '')) * 100)
const without = (beginning: string, text?: string | null) => (text ?? '').slice(beginning.length)
