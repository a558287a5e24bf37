import { defineModule, type Given } from '../../module.ts'
import { mailSendJob } from './mails.jobs.ts'
import { mailsPersonalData } from './mails.personal-data.ts'
import { createMails } from './mails.service.ts'
import { handlePreviousJobs } from './previous-release.ts'

export const mailsModule = defineModule('mails', (platform: Given) => {
  const mails = createMails(platform)
  return {
    services: { mails },
    jobs(handle) {
      handle(mailSendJob, ({ mail_id }) => mails.send(mail_id))
      handlePreviousJobs(handle, mails)
    },
    tidy: () => mails.tidy(),
    personalData: mailsPersonalData,
  }
})
