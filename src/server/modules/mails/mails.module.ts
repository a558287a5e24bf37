import { defineModule, type Given } from '../../module.ts'
import { mailSendJob } from './mails.jobs.ts'
import { mailsPersonalData } from './mails.personal-data.ts'
import { createMails } from './mails.service.ts'

export const mailsModule = defineModule('mails', (platform: Given) => {
  const mails = createMails(platform)
  return {
    services: { mails },
    jobs(handle) {
      handle(mailSendJob, ({ mail_id }) => mails.send(mail_id))
    },
    tidy: () => mails.tidy(),
    personalData: mailsPersonalData,
  }
})
