import type { Mail } from '../../integrations/mail/port.ts'
import { mailToAdmin } from '../../integrations/mail/recipients.ts'

/** To the back office, to be kept: with the anchor, `npm run audit-verify` finds out whether later entries were cut off. */
export function auditAnchorMail(
  to: string,
  { at, anchor, wrong }: { at: Date; anchor: string; wrong: { seq: number } | null },
  publicUrl: string,
): Mail {
  return mailToAdmin({
    to,
    publicUrl,
    subject: wrong ? 'The audit log has been changed' : 'Audit log: today’s anchor',
    paragraphs: wrong
      ? [
          `Entry ${wrong.seq} of the audit log is not as it was written. Do not rely on it or on later entries.`,
          'Please find out who had access to the database, and keep its backups.',
        ]
      : [
          'Every entry of the audit log is as it was written.',
          'Please keep this email: if entries are removed from the database later, the anchor below shows it.',
        ],
    details: [
      { label: 'Anchor', value: anchor },
      { label: 'Checked at', value: at.toISOString() },
    ],
    link: { text: 'Open the audit log', path: '/admin/audit' },
  })
}
