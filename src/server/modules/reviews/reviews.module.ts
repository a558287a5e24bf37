import { defineModule, type Given } from '../../module.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import type { Rooms } from '../rooms/rooms.service.ts'
import { reviewsDashboard } from './reviews.dashboard.ts'
import { reviewsPersonalData } from './reviews.personal-data.ts'
import { toPublicReview } from './reviews.mapper.ts'
import { reviewRoutes } from './reviews.routes.ts'
import { createReviews } from './reviews.service.ts'
import { listShown, readRatings } from './reviews.store.ts'

type Needs = { accounts: Accounts; practitioners: Practitioners; bookings: Bookings; rooms: Rooms }

export const reviewsModule = defineModule('reviews', (given: Given<Needs>) => {
  const reviews = createReviews(given)
  return {
    services: { reviews },
    routes: (serve) => reviewRoutes(serve, reviews),
    personalData: reviewsPersonalData(given),
    dashboard: reviewsDashboard(reviews),
    lookups: {
      ratings: readRatings,
      newestReviews: async (db, id, limit) => (await listShown(db, id, limit)).map(toPublicReview),
    },
  }
})
