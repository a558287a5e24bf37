import { defineModule, type Given } from '../../module.ts'
import { noticesPushJob } from './notices.jobs.ts'
import { noticesPersonalData } from './notices.personal-data.ts'
import { noticeRoutes } from './notices.routes.ts'
import { createNotices } from './notices.service.ts'
import { serveUnsubscribe } from './unsubscribe.pages.ts'

export const noticesModule = defineModule('notices', (platform: Given) => {
  const notices = createNotices(platform)
  return {
    services: { notices },
    routes: (serve) => noticeRoutes(serve, notices),
    pages: (app) => serveUnsubscribe(app, notices.stopMails),
    jobs: (handle) => handle(noticesPushJob, (notice) => notices.deliver(notice)),
    on: { 'sign-in.ended': (tx, { accountId }) => notices.ended(tx, accountId) },
    tidy: () => notices.tidy(),
    personalData: noticesPersonalData(),
  }
})
