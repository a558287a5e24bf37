import type { HelpRequest, HelpRequests } from '#contract/get-help/get-help.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import type { Dispatch } from './get-help.dispatch.ts'
import { toInstantSession, toRequest } from './get-help.mapper.ts'
import * as store from './get-help.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & { practitioners: Practitioners; dispatch: Dispatch }

export type PractitionerHelp = ReturnType<typeof createPractitionerHelp>

/** What a practitioner sees of requests for help right now, and answers to them. */
export function createPractitionerHelp({ db, clock, practitioners, dispatch }: Dependencies) {
  return {
    /** Requests that wait for an answer, and what today has brought. @throws 404 for an account without a practitioner */
    async requests(caller: SignedIn): Promise<HelpRequests> {
      const practitioner = await practitioners.requireOwn(db, caller)
      const now = clock.now()
      const open = await store.listOpenOffers(db, practitioner.id)
      const today = await store.readToday(db, practitioner.id, practitioner.timezone, now)
      const sessions = (await store.listSessions(db, practitioner.id, today.from)).map(toInstantSession)
      const earned = sessions.reduce((pence, session) => pence + Math.round(session.owed * 100), 0)
      return {
        open: open.filter((offer) => offer.answer_by > now).map((offer) => toRequest(offer, now)),
        today: { day: today.day, sessions, earned: earned / 100, missed: today.missed },
        now: now.toISOString(),
      }
    },

    /** Accepts or declines. Saying the same again changes nothing. @throws 404; 409 `request_over` */
    async answer(caller: SignedIn, id: string, as: 'accepted' | 'declined'): Promise<HelpRequest> {
      const offer = owned('help_request', caller, await store.findOffer(db, id))
      await dispatch.answer(offer, as)
      const after = await store.findOffer(db, id)
      if (!after) throw notFound('This request')
      return toRequest(after, clock.now())
    },
  }
}
