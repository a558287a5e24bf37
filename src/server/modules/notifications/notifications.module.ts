import { defineModule, type Given } from '../../module.ts'
import { notificationsPushJob } from './notifications.jobs.ts'
import { notificationsPersonalData } from './notifications.personal-data.ts'
import { notificationRoutes } from './notifications.routes.ts'
import { createNotifications } from './notifications.service.ts'
import { serveUnsubscribe } from './unsubscribe.pages.ts'

export const notificationsModule = defineModule('notifications', (platform: Given) => {
  const notifications = createNotifications(platform)
  return {
    services: { notifications },
    routes: (serve) => notificationRoutes(serve, notifications),
    pages: (app) => serveUnsubscribe(app, notifications.stopMails),
    jobs: (handle) => handle(notificationsPushJob, (job) => notifications.deliver(job)),
    on: { 'sign-in.ended': (tx, { accountId }) => notifications.ended(tx, accountId) },
    tidy: () => notifications.tidy(),
    personalData: notificationsPersonalData(),
  }
})
