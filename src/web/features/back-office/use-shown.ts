import { useSearchParams } from 'react-router'
import { pageIn } from '#web/lib/search-params.ts'

/**
 * Which of a few lists the address shows, and the page of it. The first is shown where it names none.
 * @param base the address, with the mark before the next parameter
 * @param labels by what the address calls a list
 */
export function useShown<Show extends string>(base: string, labels: Record<Show, string>) {
  const [params] = useSearchParams()
  const shows = Object.keys(labels) as [Show, ...Show[]]
  const show = shows.find((each) => each === params.get('show')) ?? shows[0]
  const hrefOf = (wanted: Show, page: number) => `${base}show=${wanted}&page=${page}`
  return {
    show,
    page: pageIn(params),
    hrefFor: (page: number) => hrefOf(show, page),
    /** For `ChoiceLinks`. */
    choices: shows.map((each) => ({ label: labels[each], to: hrefOf(each, 1), isChosen: each === show })),
  }
}
