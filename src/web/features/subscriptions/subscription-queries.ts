import { queryOptions } from '@tanstack/react-query'
import type { Subscription } from '#contract/subscriptions/subscriptions.ts'
import { accountKey } from '#web/lib/account-key.ts'
import { callApi } from '#web/lib/api.ts'
import { apiQuery } from '#web/lib/api-query.ts'
import { ApiError } from '#web/lib/api-error.ts'

/** What there is of a subscription: it, or none, and how the last one ended where there was one. Pounds a month. */
export type Standing =
  | { subscription: Subscription; price: number; ended: null }
  | { subscription: null; price: number; ended: { status: 'lapsed' | 'ended'; at: string } | null }

/** None is an answer; every other failure means that it could not be checked. */
export const subscriptionQuery = () =>
  queryOptions({
    queryKey: accountKey('subscription'),
    queryFn: async ({ signal }): Promise<Standing> => {
      try {
        const subscription = await callApi('GET /therapist/subscription', { signal })
        return { subscription, price: subscription.price, ended: null }
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'not_subscribed') throw error
        const { price, last_status: status, ended_at: at } = error.details
        const isKnown = (status === 'lapsed' || status === 'ended') && typeof at === 'string'
        return { subscription: null, price: Number(price), ended: isKnown ? { status, at } : null }
      }
    },
  })

/** Whether a payment of a subscription is due now: one that is paused is not charged. */
export const isDue = (subscription: Subscription | null | undefined): subscription is Subscription =>
  subscription?.status === 'past_due' && !subscription.paused_for

/** The card in use; null where there is none. */
export const cardQuery = () =>
  queryOptions({
    queryKey: accountKey('therapist-card'),
    queryFn: async ({ signal }) => {
      try {
        return await callApi('GET /therapist/payment/card', { signal })
      } catch (error) {
        if (error instanceof ApiError && error.code === 'no_card') return null
        throw error
      }
    },
  })

export const invoicesQuery = () => apiQuery(accountKey('invoices'), 'GET /therapist/invoices')

export const balanceQuery = () => apiQuery(accountKey('balance'), 'GET /therapist/balance')

export const videoQuery = () => apiQuery(accountKey('video-production'), 'GET /therapist/video-production')
