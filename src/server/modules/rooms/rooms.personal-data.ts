import type { PersonalData } from '../../contributions/personal-data.ts'
import * as store from './personal-data.store.ts'

/** When a person and the other one were in the rooms of their sessions. */
export const roomsPersonalData: PersonalData = {
  tables: ['session_rooms', 'session_room_seats', 'session_attendance'],
  kept: [],

  async exported(db, { accountId }) {
    const rows = await store.listAttendance(db, accountId)
    return [
      {
        title: 'When you were in the room of a session',
        about:
          'For online sessions in Hearth’s own room: when you and the other person came and left. Times are kept for 90 days, then only that you came.',
        entries: rows.map((row) => ({
          session: row.starts_at.toISOString(),
          who: row.side === row.own ? 'you' : row.side === 'client' ? 'your client' : 'your practitioner',
          came_at: row.first_in?.toISOString() ?? null,
          left_at: row.last_out?.toISOString() ?? null,
          minutes: row.first_in ? Math.floor(row.seconds / 60) : null,
        })),
      },
    ]
  },

  async erase(tx, { accountId }) {
    await store.eraseRooms(tx, accountId)
  },
}
