import type { Serve } from '../../http/serve.ts'
import type { Statements } from './subscriptions.statements.ts'
import type { Invoices } from './subscriptions.invoices.ts'
import type { Subscriptions } from './subscriptions.service.ts'
import type { Videos } from './subscriptions.video.ts'
import type { VideoOrders } from './video-orders.service.ts'

type Services = {
  subscriptions: Subscriptions
  videos: Videos
  videoOrders: VideoOrders
  invoices: Invoices
  statements: Statements
}

export function subscriptionRoutes(
  serve: Serve,
  { subscriptions, videos, videoOrders, invoices, statements }: Services,
): void {
  serve('POST /therapist/payment/begin-card', ({ caller }) => subscriptions.beginCard(caller))
  serve('POST /therapist/payment/add-new-card', ({ caller, body }) => subscriptions.replaceCard(caller, body))
  serve('GET /therapist/payment/card', ({ caller }) => subscriptions.card(caller))
  serve('POST /therapist/payment/confirm-authentication', ({ caller, body }) =>
    body.purpose === 'subscription' ? subscriptions.confirm(caller) : videos.confirm(caller),
  )
  serve('GET /therapist/subscription', ({ caller }) => subscriptions.subscription(caller))
  serve('POST /therapist/subscription/subscribe', ({ caller, body }) => subscriptions.subscribe(caller, body))
  serve('POST /therapist/subscription/cancel', ({ caller }) => subscriptions.cancel(caller))
  serve('POST /therapist/subscription/resume', ({ caller }) => subscriptions.resume(caller))
  serve('GET /therapist/video-production', ({ caller }) => videos.production(caller))
  serve('POST /therapist/video-production/order', ({ caller, body }) => videos.order(caller, body?.price))
  serve('POST /therapist/video-production/take-date', ({ caller, body }) =>
    videoOrders.takeDate(caller, body),
  )
  serve('POST /therapist/video-production/ask-dates', ({ caller, body }) =>
    videoOrders.askDates(caller, body),
  )
  serve('POST /therapist/video-production/video-link', ({ caller }) => videoOrders.linkFor(caller))
  serve('POST /therapist/video-production/approve', ({ caller, body }) => videoOrders.approve(caller, body))
  serve('POST /therapist/video-production/ask-change', ({ caller, body }) =>
    videoOrders.askChange(caller, body),
  )
  serve('GET /therapist/invoices', ({ caller }) => invoices.list(caller))
  serve('GET /therapist/invoices/{id}/pdf', ({ caller, params }) => invoices.pdf(caller, params.id))
  serve('GET /therapist/balance', ({ caller }) => statements.balance(caller))
  serve('GET /therapist/statements/{month}', ({ caller, params, query }) =>
    statements.statement(caller, params.month, query.format),
  )
}
