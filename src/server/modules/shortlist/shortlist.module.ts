import { defineModule, type Given } from '../../module.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { shortlistPersonalData } from './shortlist.personal-data.ts'
import { shortlistRoutes } from './shortlist.routes.ts'
import { createShortlist } from './shortlist.service.ts'

type Needs = { practitioners: Practitioners }

export const shortlistModule = defineModule('shortlist', (given: Given<Needs>) => {
  const shortlist = createShortlist(given)
  return {
    services: { shortlist },
    routes: (serve) => shortlistRoutes(serve, shortlist),
    personalData: shortlistPersonalData,
  }
})
