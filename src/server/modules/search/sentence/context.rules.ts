import { numeralOf, type Word, wordSet } from './phrases.rules.ts'
import type { Token } from './tokens.rules.ts'

/*
 * What the words around a phrase do to it: "not online", "I am a woman".
 */

const negators = wordSet(
  'not no dont without never except avoid nothing neither nor hate cant cannot wont isnt uncomfortable',
)
/** Words that negate a price and nothing else. */
const priceNegators = wordSet('nobody noone none doesnt shouldnt couldnt wouldnt mustnt havent arent unable')
/** Words after which a negated price is no wish: "it doesn't have to be under £60", "I can't find a woman under £60". */
const vague = wordSet(
  'lot much necessarily need needs care if it far way sure too bothered fussed always find finding found get getting got ' +
    'look looking see seeing paid',
)
/** "There are none under £60" is no wish either. */
const stating = wordSet('there theres theyre is are was were its')
/** Words that a negator reaches over, by what is negated. */
const reached = {
  way: wordSet(
    'a an the any by to with see have do want be on over via another my talk speak it done doing need like go through someone ' +
      'seeing having wanting therapist therapy sessions session talking about feel feeling comfortable looking for if its whether or man woman male ' +
      'female men women',
  ),
  therapy: wordSet(
    'a an the any do want have need like to more another doing with try trying start just another be of',
  ),
  language: wordSet(
    'a an the any speak speaking read understand understanding know much very good fluent to',
  ),
  issue: wordSet('a an the any want have need of been had'),
  place: wordSet('a an the any in near nr around at from within by to want do be of go anywhere'),
  days: wordSet('a an the any on this in at do want be have book of free available'),
  price: new Set([
    ...vague,
    ...wordSet(
      'a an the any to want wants wanting wanna pay paying spend spending afford charge charges charging cost costs costing ' +
        'go going be being at anything something someone somebody anyone anybody one who that is are have do like prefer willing able keen happy on exactly ' +
        'even really ever therapist therapists counsellor counsellors practitioner practitioners session sessions for priced',
    ),
  ]),
}
export type Negatable = keyof typeof reached

/** Most words between a negator and what it negates. */
const reach = 8

/** Whether a word negates what follows. */
export const isNegator = (word: Word | undefined) => negators.has(word?.text ?? '')

/** Where the negation begins that a phrase stands in; `isIndifferent` for "I don't mind a man". */
export function negationBefore(
  words: readonly Token[],
  at: number,
  what: Negatable,
): { from: number; isIndifferent: boolean } | undefined {
  let isIndifferent = false
  for (let back = at - 1; back >= 0 && back >= at - reach; back--) {
    // A comma ends what is denied before it.
    if (words[back + 1]?.isAfterBreak) return undefined
    const text = words[back]?.text ?? ''
    const previous = words[back - 1]?.text ?? ''
    if (text === 'mind' && negators.has(previous)) return { from: back - 1, isIndifferent: true }
    const pairs: Record<string, readonly string[]> = {
      than: ['rather', 'other'],
      of: ['instead'],
      from: ['apart'],
      but: ['anything', 'anyone', 'anybody', 'anywhere', 'any'],
    }
    if (pairs[text]?.includes(previous)) return { from: back - 1, isIndifferent: false }
    if (what === 'price') {
      isIndifferent ||= vague.has(text) || (text === 'have' && words[back + 1]?.text === 'to')
      if (negators.has(text) || priceNegators.has(text)) {
        return { from: back, isIndifferent: isIndifferent || stating.has(previous) }
      }
    }
    if (negators.has(text)) {
      // "I can't do online" says what is not wanted; "I can't cope with stress" does not. "I hate CBT" does, "I hate my job" not.
      const isAble = ['cant', 'cannot', 'wont', 'isnt'].includes(text)
      if (what === 'issue' ? isAble || text === 'hate' : what === 'therapy' && isAble) return undefined
      return { from: back, isIndifferent: false }
    }
    if (!reached[what].has(text)) return undefined
  }
  return undefined
}

const tries = wordSet('tried trying had done')
const failed = wordSet('didnt hasnt doesnt wasnt isnt havent failed')
const helping = wordSet('did has have does was')
const helped = wordSet(
  'helped help helping helps helpful worked work working works did done right suit suited suits',
)
const links = wordSet('but it that they and')

/** Whether a kind of therapy is named as one that has not helped. */
export function hasFailed(
  words: readonly Word[],
  at: number,
  end: number,
): { from: number; end: number } | undefined {
  const textAt = (index: number) => words[index]?.text ?? ''
  const direct = textAt(end) === 'but' || textAt(end) === 'it' ? end + 1 : end
  const isDirect = failed.has(textAt(direct)) || (textAt(direct) === 'did' && textAt(direct + 1) === 'not')
  let next = end
  while (next < end + 2 && links.has(textAt(next))) next++
  const isLong = helping.has(textAt(next)) && ['not', 'never'].includes(textAt(next + 1))
  const verb = isLong ? next + 2 : next + 1
  const isDenied = isLong || failed.has(textAt(next)) || textAt(next) === 'never'
  // "CBT that doesn't cost more than £60" is a wish.
  const hasNotHelped = isDenied && helped.has(textAt(verb))
  if (!isDirect && !hasNotHelped) return undefined
  const from = tries.has(textAt(at - 1)) ? at - 1 : at
  return { from, end: Math.min(words.length, hasNotHelped ? verb + 1 : direct + 2) }
}

const adjectives = wordSet(
  'a an the young older old middle aged black white asian brown gay straight bi single married divorced retired working ' +
    'nice kind gentle warm friendly lovely caring patient calm muslim christian jewish british polish trans cis disabled year years yr yrs and busy very just another grown',
)
const wishes = wordSet(
  'see seeing to prefer preferably ideally want wants wanted need rather have be get only or with prefers find like female ' +
    'male possible possibly book please by definitely must strictly specifically looking seek seeking therapist counsellor ' +
    'psychologist psychiatrist someone somebody anyone speaking',
)
const others = wordSet('my her his their this that every another other our by')
const askers = wordSet('looking look searching search hoping ask asking wish wishing waiting prefer')
const roles = wordSet(
  'therapist counsellor counselor psychologist psychiatrist psychotherapist practitioner shrink doctor cbt emdr therapists ' +
    'person professional only please preferred counselling couples',
)

/**
 * Whether a word such as "woman" is about the practitioner.
 * @param wasUsed whether the word before it was understood as a filter
 */
export function isOfPractitioner(words: readonly Word[], at: number, end: number, wasUsed: boolean): boolean {
  const word = words[at]
  if (!word) return false
  const next = words[end]
  const isPlural = ['men', 'women', 'ladies', 'blokes', 'females', 'males'].includes(word.text)
  const isSingleSign = ['he', 'she', 'hes', 'shes'].includes(word.text)
  const isAlone = (at === 0 || word.isAfterBreak) && (!next || next.isAfterBreak)
  if (isSingleSign) return isAlone
  if (next && !next.isAfterBreak && roles.has(next.text)) return !isOwn(words, at)
  if (isPlural) return isAlone || words[at - 1]?.text === 'with'
  if (wasUsed && !word.isAfterBreak) return true
  return !isOwn(words, at) && isWished(words, at)
}

/** Most adjectives before a word that are passed over. */
const mostAdjectives = 8

/** The first word before one that is no adjective, within the clause, and whether an age stands between. */
function leading(
  words: readonly Word[],
  at: number,
): { text: string; before: string; hasAge: boolean } | undefined {
  let hasAge = false
  for (let back = at; back > 0 && back > at - mostAdjectives; back--) {
    if (words[back]?.isAfterBreak) return undefined
    const text = words[back - 1]?.text ?? ''
    const isNumber = numeralOf(words[back - 1]) !== undefined
    hasAge ||= isNumber
    if (!isNumber && !adjectives.has(text)) return { text, before: words[back - 2]?.text ?? '', hasAge }
  }
  return undefined
}

const ownLeads = wordSet('im am as being was become hes shes feel of')

/** "I'm a 45 year old man", "as a woman", "another woman". */
function isOwn(words: readonly Word[], at: number): boolean {
  if (words[at - 1]?.text === 'another') return true
  const lead = leading(words, at)
  if (!lead) return false
  if (lead.text === 'for') return !askers.has(lead.before)
  if (lead.text === 'like') return ['feel', 'feeling', 'felt'].includes(lead.before)
  if (lead.text === 'by') return !['seen', 'treated'].includes(lead.before)
  return lead.hasAge || others.has(lead.text) || ownLeads.has(lead.text)
}

function isWished(words: readonly Word[], at: number): boolean {
  const lead = leading(words, at)
  return !lead || wishes.has(lead.text) || (lead.text === 'for' && askers.has(lead.before))
}
