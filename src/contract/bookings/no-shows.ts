import { z } from 'zod'
import { AppointmentDetail } from './bookings.ts'
import { FreeText } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'

export const noShowEndpoints = defineEndpoints({
  'POST /appointment/{appointment_id}/dispute-no-show': {
    access: ['client'],
    owner: 'appointment',
    summary:
      'Dispute, within 14 days, that the client did not come. The back office decides; until then the fee is not paid out',
    params: z.object({ appointment_id: z.uuid() }),
    body: z.object({
      reason: FreeText(2000).trim().min(1, 'Say what happened.'),
    }),
    answer: AppointmentDetail,
    idempotent: true,
  },
})
