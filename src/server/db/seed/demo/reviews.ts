import type { DemoReview } from './types.ts'
import type { Deck, Random } from './random.ts'
import { createDeck } from './random.ts'
import { expand } from './bio/expand.ts'

// Comments are put together from parts; `[A]` and `[B]` are what the practitioner treats, `[first]` the given name.

const delighted: readonly string[] = [
  'I felt listened to from the first minute.',
  '[First] remembers everything, even things I mentioned once in passing.',
  'I was very nervous and that was never made into a thing.',
  '@talking After {four|six|eight|ten} sessions I understand myself a lot better.',
  'Clear, warm and never in a hurry.',
  'I came because of [A] and we ended up talking about things I had not expected.',
  'For the first time somebody explained [A] to me in words I could use.',
  'I look forward to the sessions, which I never thought I would say.',
  'There is something very calming about the way [first] talks.',
  '@talking It is the one hour of the week when I do not have to pretend.',
  'I have tried {two|three} others before and this is the first time it has clicked.',
  'Straightforward to book and easy to talk to.',
  '[First] asks the kind of question I am still thinking about on the bus home.',
  'I was taken seriously, which had not happened before.',
  'My GP suggested I talk to somebody about [A] and I am glad I chose [first].',
  'I never felt judged, even when I said the things I am most ashamed of.',
  'We laughed a lot more than I expected.',
  'Kind, but not afraid to say when I am fooling myself.',
  'Sessions start on time and I never felt like the next in a queue.',
  'I could say what I wanted at my own speed.',
  'Was sceptical about talking to anyone about [B], and am less so now.',
  'I found the silence hard at first and now I quite like it.',
  'A good mix of listening and practical ideas.',
  '@online Really attentive, even over video with my terrible connection.',
  'I was asked good questions and given time to answer them.',
  'I had put this off for {two|five|ten} years and wish I had known it could be like this.',
  '[First] has a way of noticing what I skip over.',
  'I left the first meeting with a clearer head than I had had in months.',
  'Patient with me when I was not.',
  'I can talk about [A] now without my voice going.',
  'Gentle, sharp and funny, in that order.',
  'Never once looked at the clock, and yet we always finished on time.',
  'I did not think anybody would understand about [B].',
  'Explains things without talking down to you.',
  '[First] is easy to like and does not let me off the hook.',
  'I felt safe enough to say it.',
  'Everything was explained beforehand, so there were no surprises.',
  'Somebody who really knows about [A].',
  'The right person at the right time for me.',
  '@couples We can now talk about money without one of us leaving the room.',
  '@couples My husband did not want to come and is now the one who books.',
  '@couples We felt that neither of us was being blamed.',
  '@couples We came about [A] and found out that we are both simply exhausted.',
  '@medical The first doctor who asked me what I wanted.',
  '@medical Side effects were explained properly, with time for all my questions.',
  '@medical A very thorough assessment, and a letter that I could actually read.',
  '@medical I was not pushed into taking anything.',
  '@medical Changed my tablets slowly and kept in touch while doing it.',
  'It helped that [first] did not try to fix everything at once.',
]
const details: readonly string[] = [
  'I still have difficult weeks, but I know what to do with them.',
  'I sleep a bit better than I did.',
  '@talking The drawings on a scrap of paper sound silly but they stuck.',
  'It is not magic, but it is steady.',
  '@online The video link worked every time.',
  '@room The room is comfortable and the tea is decent.',
  'I have been able to go back to work part time.',
  'My partner noticed a difference before I did.',
  'I like that we review every few weeks whether it is useful.',
  'I had to move one appointment and that was no problem.',
  '@talking I went weekly for three months and now go once a month.',
  'Would recommend to anybody who is putting it off as I did.',
  'I would have liked to start sooner.',
  'It took me {two|three} sessions to open up and that was fine.',
  '@talking There was homework, but not so much that I dreaded it.',
  'I wrote a message first and had a kind answer the same day.',
  '@evening Evening appointments made it possible for me.',
  'The price is a stretch for me, but it has been worth it.',
  'No jargon at all.',
  'I was asked what I wanted from it, and asked again later.',
  'I have told two friends.',
  'I am still working on it, but I am not alone with it any more.',
  '@talking I stopped after the sixth session because I felt ready to, and that was respected.',
  'It was good to be able to talk about my family without having to defend them.',
  'I take it one week at a time.',
  'Some sessions are heavy and I plan a walk afterwards.',
  'I still have the notes from our second meeting on my fridge.',
  'It is a relief to have somebody outside the family to talk to.',
  'I cancelled twice in the beginning out of nerves and nobody made a fuss.',
  'I was sent a short summary afterwards, which I had not expected.',
  'I do the breathing thing on the train now.',
  'My mother would be astonished that I am writing this.',
  'Things at work have become calmer, or perhaps I have.',
  'I am sleeping through most nights at the moment.',
  'The parking is hopeless, so take the bus.',
  'It costs what it costs, and I know where the money goes.',
  'I have started to see friends again.',
  'I do not agree with everything, and that is allowed.',
  'I will carry on for a while.',
  '@room It is a short walk from the station, which matters when one is late and nervous.',
  '@online I sit in the car for it and it works surprisingly well.',
  '@online I was unsure about doing this on a screen and have stopped noticing it.',
  '@couples We are taking it slowly.',
  '@couples We still argue, but we find our way back sooner.',
  '@medical The follow-up was shorter and just as careful.',
]
const content: readonly string[] = [
  'Good sessions overall, though I sometimes wanted a bit more direction.',
  'Helpful and friendly. The times on offer do not always suit me.',
  'A solid start with [A]; still early days.',
  'I liked [first], although it took a while to get going.',
  'Professional and kind. The time goes by rather quickly.',
  'Useful ideas for [A], and I would have liked more written down.',
  '@online Nice manner. The video froze once or twice, which was probably my side.',
  'I got what I came for, more or less, and would go back.',
  'Thoughtful person. I was asked a lot of questions in the first session, which was tiring.',
  'Worth the money, but hard to get an appointment before the weekend.',
  'It has been helpful with [B], less so with [A].',
  'Very pleasant to talk to. I am not sure yet where it is going.',
]
const mixed: readonly string[] = [
  'Fine, but not quite the right match for me. No hard feelings.',
  'I think I needed something more structured.',
  'Kind person, though I felt we went round in circles.',
  '@talking The approach was not for me, but I was told honestly who might suit me better.',
  '@online Decent sessions. I found it hard to talk over video.',
  'It was all right. I expected more practical advice about [A].',
  'I stopped after three sessions, mostly because of the cost.',
  'A bit quiet for my taste.',
  'Perfectly pleasant, but I did not come away with much.',
  'Good listener. I had hoped for more of a plan.',
  'It helped a little, and then I got stuck again.',
]
const poor: readonly string[] = [
  'We did not click, and I moved on after two sessions.',
  'I felt a little rushed and left with more questions than I came with.',
  'The session started ten minutes late and that bothered me more than it should have.',
  'Not for me. Others may find it helpful.',
  'I had hoped to talk about [A] and we hardly got to it.',
]

const initials = 'ABCDEFGHIJKLMNOPRSTVWZ'

function reviewerName(random: Random): string {
  const style = random.int(0, 5)
  const letter = () => initials.charAt(random.int(0, initials.length - 1))
  if (style <= 1) return `${letter()}. ${letter()}.`
  if (style === 2) return `Client, ${random.int(19, 71)}`
  if (style === 3) return `${letter()}., ${random.int(19, 71)}`
  if (style === 4) return random.pick(['Anonymous', 'A client', 'Client since spring', 'Returning client'])
  return `${letter()}.`
}

/** What a comment has to agree with. */
export interface ReviewSubject {
  firstName: string
  /** Phrases for what is treated. */
  issues: readonly string[]
  online: boolean
  room: boolean
  evenings: boolean
  profession: 'medical' | 'couples' | 'other'
  /** Age of the practitioner's account, in days. */
  maxAgeDays: number
  /** Fewest reviews; 0 for no minimum. */
  atLeast: number
}

const tagged = /^@([a-z]+) /

function fits(sentence: string, subject: ReviewSubject): boolean {
  if (!sentence.startsWith('@')) return true
  const tag = tagged.exec(sentence)?.[1]
  if (tag === undefined) return true
  if (tag === 'online') return subject.online
  if (tag === 'room') return subject.room
  if (tag === 'evening') return subject.evenings
  if (tag === 'talking') return subject.profession !== 'medical'
  return tag === subject.profession
}

/** Draws reviews; one writer for a whole directory, so that its comments are spread evenly. */
export interface ReviewWriter {
  /** The newest first. */
  write(random: Random, subject: ReviewSubject): DemoReview[]
}

export function createReviewWriter(random: Random): ReviewWriter {
  const decks = {
    delighted: createDeck(random, delighted),
    details: createDeck(random, details),
    content: createDeck(random, content),
    mixed: createDeck(random, mixed),
    poor: createDeck(random, poor),
  }
  const comment = (rating: number, subject: ReviewSubject, own: Random): string => {
    const parts: string[] = []
    const add = (deck: Deck<string>) => {
      const text = deck.drawWhere((card) => fits(card, subject)).replace(tagged, '')
      if (!parts.includes(text)) parts.push(text)
    }
    if (rating === 5) {
      add(decks.delighted)
      if (own.chance(0.4)) add(decks.delighted)
      if (own.chance(0.65)) add(decks.details)
    } else if (rating === 4) {
      add(own.chance(0.5) ? decks.content : decks.delighted)
      if (own.chance(0.5)) add(decks.details)
    } else if (rating === 3) add(own.chance(0.7) ? decks.mixed : decks.content)
    else add(rating === 2 ? decks.mixed : decks.poor)
    return parts.join(' ')
  }
  return {
    write(own, subject) {
      // One in nine has no review yet.
      if (own.chance(0.11) && subject.atLeast === 0) return []
      const maxReviews = Math.min(40, Math.max(1, Math.floor(subject.maxAgeDays / 14)))
      const count = Math.max(1, subject.atLeast, Math.round(maxReviews * own.next() ** 1.7))
      // Each practitioner has a level of their own, around which clients differ.
      const level = own.next()
      const seen = new Set<string>()
      const reviews: DemoReview[] = []
      for (let index = 0; index < count; index++) {
        const luck = own.next()
        const rating =
          luck < 0.52 + level * 0.36
            ? 5
            : luck < 0.86 + level * 0.1
              ? 4
              : luck < 0.965
                ? 3
                : luck < 0.99
                  ? 2
                  : 1
        let text = ''
        for (let attempt = 0; attempt < 6; attempt++) {
          const [a = 'this', b = 'the rest'] = own.sample(subject.issues, 2)
          text = expand(comment(rating, subject, own), { A: a, B: b, first: subject.firstName }, own)
          if (!seen.has(text)) break
        }
        seen.add(text)
        reviews.push({
          reviewerName: reviewerName(own),
          rating,
          comment: text,
          createdDaysAgo: own.int(1, Math.max(2, subject.maxAgeDays)),
        })
      }
      return reviews.sort((one, other) => one.createdDaysAgo - other.createdDaysAgo)
    },
  }
}
