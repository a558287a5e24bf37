// Makes a link by which an admin without a second factor, or who has lost it, chooses a new password:
// npm run admin-reset -- ada@example.org [--without-second-factor]
import '../production.ts'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { commandConfig, runCommand, withDatabase } from './command.ts'
import { createEvents } from '../events.ts'
import { systemRandom } from '../ids.ts'
import { makeOperatorReset } from '../modules/accounts/accounts.admin-password.ts'
import { noting } from '../modules/back-office/back-office.service.ts'

const usage = 'Name one admin: npm run admin-reset -- ada@example.org [--without-second-factor]'

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'without-second-factor': { type: 'boolean', default: false } },
  })
  const [email, ...more] = positionals
  if (!email || more.length > 0) throw new Error(usage)
  const config = commandConfig()
  const events = createEvents()
  const note = noting(systemClock)
  events.on('admin.acted', (tx, { action, subject, ...actor }) => note(tx, actor, { action, subject }))
  const link = await withDatabase(config, { asOwner: false }, (db) =>
    makeOperatorReset(
      { db, clock: systemClock, random: systemRandom, events },
      { email, dropSecondFactor: values['without-second-factor'] },
    ),
  )
  if (!link) throw new Error(`There is no admin with the email ${email}. Nothing was changed.`)
  const query = new URLSearchParams({ token: link.token, email: link.email })
  console.log(
    `${link.email} is signed out everywhere, and the old password is no longer good. Until ${link.expiresAt.toISOString()}, once:`,
  )
  console.log(`${config.PUBLIC_URL}/admin/reset-password?${query.toString()}`)
}

runCommand(main)
