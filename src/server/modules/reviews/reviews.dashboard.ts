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
      const { unreplied } = await reviews.receivedCounts(db, id)
      if (unreplied === 0) return []
      return [
        {
          code: 'review_unreplied',
          urgency: 'soon',
          title: unreplied === 1 ? 'A review has no reply' : `${unreplied} reviews have no reply`,
          message: 'You do not have to reply. If you do, everyone who reads the review can read it too.',
          action: { label: 'See your reviews', path: '/therapist/reviews' },
          due: null,
        },
      ]
    },
  }
}
