import { z } from 'zod'
import { FreeText, IdInPath } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

export const practitionerStates = ['draft', 'submitted', 'approved', 'rejected', 'suspended'] as const
export const PractitionerState = z.enum(practitionerStates)
export type PractitionerState = z.infer<typeof PractitionerState>

export const PractitionerOverview = z.object({
  practitioner_id: z.number().int(),
  full_name: z.string(),
  email: z.string(),
  status: PractitionerState,
  reason: z.string().nullable(),
  subscribed: z.boolean(),
  provider_types: z.array(z.string()),
  created_at: z.string(),
})

export const PractitionerFile = PractitionerOverview.extend({
  about: z.string(),
  licences: z.array(z.object({ licence: z.string(), licence_number: z.string(), provider_type: z.string() })),
  date_of_birth: z.string().nullable(),
  phone: z.string().nullable(),
})

const params = z.object({ id: IdInPath })
const Reasoned = z.object({
  reason: FreeText(2000).trim().min(1, 'Give a reason: it is sent to the practitioner'),
})

export const backOfficeEndpoints = defineEndpoints({
  'GET /admin/practitioners': {
    access: ['admin'],
    summary: 'Practitioners by state, longest waiting first',
    query: z.object({
      status: PractitionerState.optional(),
      page: z.coerce.number().int().min(1).max(100_000).optional(),
    }),
    answer: z.object({
      data: z.array(PractitionerOverview),
      meta: z.object({ total: z.number().int(), page: z.number().int(), per_page: z.number().int() }),
    }),
  },
  'GET /admin/practitioners/{id}': {
    access: ['admin'],
    summary: 'One practitioner, with what vetting needs',
    params,
    answer: PractitionerFile,
  },
  'POST /admin/practitioners/{id}/approve': {
    access: ['admin'],
    summary: 'Approve a submitted profile',
    params,
    answer: PractitionerOverview,
  },
  'POST /admin/practitioners/{id}/reject': {
    access: ['admin'],
    summary: 'Refuse a submitted profile',
    params,
    body: Reasoned,
    answer: PractitionerOverview,
  },
  'POST /admin/practitioners/{id}/suspend': {
    access: ['admin'],
    summary: 'Hide an approved practitioner; booked sessions stay',
    params,
    body: Reasoned,
    answer: PractitionerOverview,
  },
  'POST /admin/practitioners/{id}/reinstate': {
    access: ['admin'],
    summary: 'Lift a suspension',
    params,
    answer: PractitionerOverview,
  },
  'GET /admin/audit': {
    access: ['admin'],
    summary: 'What admins did, newest first',
    query: z.object({ page: z.coerce.number().int().min(1).max(100_000).optional() }),
    answer: z.object({
      data: z.array(
        z.object({
          id: z.number().int(),
          at: z.string(),
          actor: z.string(),
          action: z.string(),
          subject: z.string(),
          reason: z.string().nullable(),
        }),
      ),
      meta: z.object({ total: z.number().int(), page: z.number().int(), per_page: z.number().int() }),
    }),
  },
})
