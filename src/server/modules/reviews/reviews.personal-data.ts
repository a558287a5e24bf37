import type { Deps } from '../../deps.ts'
import type { PersonalData } from '../../contributions/personal-data.ts'
import * as store from './personal-data.store.ts'
import { formerAuthor } from './reviews.rules.ts'

/** Reviews and reports that an account has written. */
export function reviewsPersonalData({ events }: Pick<Deps, 'events'>): PersonalData {
  return {
    tables: ['reviews', 'review_reports'],
    kept: [
      {
        what: 'The stars of reviews that you wrote and their day, without your words, your initial or your session.',
        why: 'They are part of a rating that others choose by. Without words and author they tell of nobody.',
        how_long:
          'As long as the practitioner’s profile. You can withdraw a review as a whole before you leave. One that we have hidden is deleted with your account.',
        tables: [],
      },
      {
        what: 'That a review or reply was hidden after you reported it, without your name and your words.',
        why: 'What was hidden can then be shown again.',
        how_long: 'As long as the review or reply.',
        tables: [],
      },
    ],

    async exported(db, { accountId }) {
      const written = await store.listWritten(db, accountId)
      const reports = await store.listReported(db, accountId)
      return [
        {
          title: 'Your reviews',
          about: 'What you wrote about sessions, newest first, and how it is signed.',
          entries: written.map((row) => ({
            practitioner: `${row.first_name} ${row.last_name}`,
            session_on: row.starts_at?.toISOString() ?? null,
            stars: row.rating,
            words: row.comment,
            signed: row.reviewer,
            written_at: row.created_at.toISOString(),
            changed_at: row.edited_at?.toISOString() ?? null,
            answer_of_the_practitioner: row.reply_hidden_at ? null : row.reply,
            hidden_because: row.hidden_reason,
          })),
        },
        {
          title: 'What you have reported',
          about: 'Reviews and replies that you told us about, newest first.',
          entries: reports.map((row) => ({
            about: row.about,
            of_practitioner: `${row.first_name} ${row.last_name}`,
            your_reason: row.reason,
            reported_at: row.created_at.toISOString(),
            outcome: { open: 'not decided yet', hidden: 'hidden', dismissed: 'left as it was' }[row.state],
          })),
        },
      ]
    },

    async erase(tx, { accountId }) {
      await store.eraseReports(tx, accountId)
      for (const practitionerId of await store.eraseWords(tx, accountId, formerAuthor)) {
        await events.announce(tx, 'practitioner.changed', { practitionerId })
      }
    },
  }
}
