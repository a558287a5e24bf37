import type { StripeBank } from './bank.ts'
import type { Form } from './parameters.ts'

export type DashboardAction =
  | { do: 'refund' | 'capture'; intent: string; amount?: number }
  | { do: 'cancel' | 'dispute' | 'inquire'; intent: string }
  | { do: 'escalate'; dispute: string }
  | { do: 'delete customer'; customer: string }
  | { do: 'fail refund' | 'send refund'; refund: string }
  | { do: 'close dispute'; dispute: string; status: 'won' | 'lost' | 'warning_closed' }

/** Carries out what a user of the dashboard does, or a bank decides. Returns the id of the object made. */
export function byDashboard(bank: StripeBank, action: DashboardAction): string | null {
  switch (action.do) {
    case 'refund': {
      const amount: Form = action.amount === undefined ? {} : { amount: String(action.amount) }
      return bank.createRefund({ payment_intent: action.intent, ...amount }).id
    }
    case 'capture': {
      const amount: Form = action.amount === undefined ? {} : { amount_to_capture: String(action.amount) }
      return bank.captureIntent(action.intent, amount).id
    }
    case 'cancel':
      return bank.cancelIntent(action.intent).id
    case 'dispute':
      return bank.openDispute(action.intent)
    case 'send refund':
      bank.sendRefund(action.refund)
      return null
    case 'inquire':
      return bank.openInquiry(action.intent)
    case 'escalate':
      bank.escalate(action.dispute)
      return null
    case 'delete customer':
      return bank.removeCustomer(action.customer).id
    case 'fail refund':
      bank.failRefund(action.refund)
      return null
    case 'close dispute':
      bank.closeDispute(action.dispute, action.status)
  }
  return null
}
