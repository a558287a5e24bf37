import type { AppointmentType } from '#contract/common.ts'

/** In the order in which they are shown. */
export const sessionFormats = ['online', 'face_to_face'] as const satisfies readonly AppointmentType[]

export const formatNames: Record<AppointmentType, string> = { online: 'Online', face_to_face: 'Face-to-face' }

/** Within a sentence. */
export const formatWords: Record<AppointmentType, string> = { online: 'online', face_to_face: 'face to face' }

/** For a choice of formats. */
export const formatOption = (value: AppointmentType) => ({ value, label: formatNames[value] })
