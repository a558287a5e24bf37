import type { DashboardContribution } from '../../contributions/dashboard.ts'
import type { Reviews } from './reviews.service.ts'

/** The reviews' contribution to the dashboard. */
export function reviewsDashboard(reviews: Pick<Reviews, 'receivedCounts'>): DashboardContribution<'reviews'> {
  return {
    parts: {
      async reviews(db, { id }) {
        const { shown, unreplied, rating_hundredths } = await reviews.receivedCounts(db, id)
        return { rating: rating_hundredths / 100, total: shown, unreplied }
      },
    },

    async tasks(db, { id }) {
      const { unreplied, edited_since_reply: edited } = await reviews.receivedCounts(db, id)
      if (unreplied === 0 && edited === 0) return []
      return [
        {
          code: 'review_unreplied',
          urgency: 'soon',
          title: titleOf(unreplied, edited),
          message:
            unreplied > 0
              ? 'You do not have to reply. If you do, everyone who reads the review can read it too.'
              : 'A reply stays as it is when its review is changed. Change it, or save it again if it still fits.',
          action: { label: 'See your reviews', path: '/therapist/reviews' },
          due: null,
        },
      ]
    },
  }
}

function titleOf(unreplied: number, edited: number): string {
  const after = 'changed after your reply'
  if (unreplied === 0) return edited === 1 ? `A review was ${after}` : `${edited} reviews were ${after}`
  const title = unreplied === 1 ? 'A review has no reply' : `${unreplied} reviews have no reply`
  if (edited === 0) return title
  return `${title}, and ${edited === 1 ? 'one was' : `${edited} were`} ${after}`
}
