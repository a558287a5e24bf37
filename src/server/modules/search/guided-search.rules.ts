/** An answer of a question, with the fields that the recommendation needs. */
export type Answer = {
  id: number
  /** Completes "You told us that …". */
  because: string | null
  trigger_next: boolean
  issue_id: number | null
  /** Points by the id of a therapy type. */
  scores: Record<string, number>
  /** Therapy types that are not suggested after this answer. */
  excludes: readonly number[]
}
export type Question = { id: number; answers: readonly Answer[] }

/**
 * Follows the questions from the first to the answer that ends them.
 * @param given answer ids by question id, or by the question's place counted from 1
 * @returns the answers on the way; or the first question without a fitting answer, or a key that belongs to none
 */
export function walk(
  questions: readonly Question[],
  given: ReadonlyMap<number, number>,
): { answers: Answer[] } | { unanswered: number } | { foreign: number } {
  const answers: Answer[] = []
  const used = new Set<number>()
  for (const [at, question] of questions.entries()) {
    const key = given.has(question.id) ? question.id : at + 1
    const answer = question.answers.find((each) => each.id === given.get(key))
    if (!answer) return { unanswered: question.id }
    used.add(key)
    answers.push(answer)
    if (!answer.trigger_next) break
  }
  const foreign = [...given.keys()].find((key) => !used.has(key))
  return foreign === undefined ? { answers } : { foreign }
}

export type Recommendation = {
  therapyTypeId: number
  issueId: number | null
  /** The `because` texts of the answers that support it, most points first, three at most. */
  because: string[]
}

/** Share of the best type's points that an offered type needs to replace it. */
const goodEnough = 2 / 3

/**
 * Recommends the therapy type with the most points; among equals, the one with the lowest id. Skips types that any
 * answer excludes. If no practitioner offers it, the best offered type with two thirds of its points replaces it.
 * Returns undefined if no type has points.
 */
export function recommend(
  answers: readonly Answer[],
  offered: ReadonlySet<number>,
): Recommendation | undefined {
  const points = new Map<number, number>()
  for (const { scores } of answers) {
    for (const [id, more] of Object.entries(scores)) {
      points.set(Number(id), (points.get(Number(id)) ?? 0) + more)
    }
  }
  const ranked = [...points]
    .filter(([id, sum]) => sum > 0 && !answers.some((answer) => answer.excludes.includes(id)))
    .sort(([idA, a], [idB, b]) => b - a || idA - idB)
  const [first] = ranked
  if (!first) return undefined
  const [best] = ranked.find(([id, sum]) => offered.has(id) && sum >= first[1] * goodEnough) ?? first
  const because = answers
    .flatMap((answer) => ({ words: answer.because, points: answer.scores[best] ?? 0 }))
    .filter((each) => each.words !== null && each.points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, 3)
    .map((each) => each.words ?? '')
  return {
    therapyTypeId: best,
    issueId: answers.find((answer) => answer.issue_id !== null)?.issue_id ?? null,
    because,
  }
}

/** "You told us that a, b and c. CBT works on exactly that." */
export function reasonOf(because: readonly string[], fits: string): string {
  const [last, ...others] = because.toReversed()
  if (last === undefined) return fits
  const listed = others.length > 0 ? `${others.toReversed().join(', ')} and ${last}` : last
  return `You told us that ${listed}. ${fits}`.trim()
}
