import type { AppointmentType } from '#contract/common.ts'

// What a parameter of an address says; undefined for an absent one and for nonsense.

export function idIn(text: string | null): number | undefined {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

export function formatIn(text: string | null): AppointmentType | undefined {
  return text === 'online' || text === 'face_to_face' ? text : undefined
}

/** The page of a list, from 1. */
export const pageIn = (params: URLSearchParams) => Math.max(1, Math.floor(Number(params.get('page'))) || 1)
