import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { linkIn, plainText } from '#test/mails.ts'
import { expect } from './fixtures.ts'

/** The newest mail to an address that says something, once it is written. @param data where the server keeps its data */
export async function mailTo(
  email: string,
  saying: string,
  data = process.env.E2E_DATA ?? '',
): Promise<string> {
  const folder = join(data, 'mail')
  let found: string | undefined
  await expect(() => {
    found = readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .findLast((mail) => mail.includes(`To: ${email}`) && plainText(mail).includes(saying))
    expect(found, `a mail to ${email} that says ${saying}`).toBeDefined()
  }).toPass({ timeout: 20_000 })
  return found ?? ''
}

/** The link of the newest mail to an address that leads to a page, once it is written. */
export async function linkMailed(email: string, page: string): Promise<URL> {
  const mail = await mailTo(email, `${page}${/(verify|confirm)-email$/.test(page) ? '#' : '?'}`)
  return linkIn(mail)
}
