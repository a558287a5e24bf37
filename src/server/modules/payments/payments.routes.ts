import type { Serve } from '../../http/serve.ts'
import type { Payments } from './payments.service.ts'

export function paymentRoutes(serve: Serve, payments: Payments): void {
  serve('GET /payment/{provider}/get-client-cards', ({ caller, params }) =>
    payments.cards(caller, params.provider),
  )
  serve('POST /payment/{provider}/begin-card', ({ caller, params }) => {
    payments.checkProvider(params.provider)
    return payments.beginCard(caller)
  })
  serve('POST /payment/{provider}/add-new-card', ({ caller, params, body }) =>
    payments.addCard(caller, params.provider, body),
  )
  serve('DELETE /payment/{provider}/cards/{customer_id}', ({ caller, params }) =>
    payments.removeCard(caller, params.provider, params.customer_id),
  )
}
