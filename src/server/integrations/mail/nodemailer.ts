import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Mailer } from './port.ts'

/** Sends through a mail server. */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(url)
  return {
    async send(mail) {
      await transport.sendMail({ from, ...mail })
    },
  }
}

/** Writes each mail as an `.eml` file into a folder: the default, and what tests read. */
export function fileMailer(directory: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    async send(mail) {
      const { message } = await transport.sendMail({ from, ...mail })
      await mkdir(directory, { recursive: true })
      const name = `${Date.now()}-${randomUUID()}.eml`
      // Renamed when complete, so that nobody reads half a mail.
      await writeFile(join(directory, `.${name}`), message as Buffer)
      await rename(join(directory, `.${name}`), join(directory, name))
    },
  }
}
