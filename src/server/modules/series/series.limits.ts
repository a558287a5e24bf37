import { hours } from '../../clock.ts'
import { defineLimit } from '../../http/limits.ts'

export const previewsByAccount = defineLimit('series previews of an account', { hits: 120, window: hours(1) })
export const seriesMadeByAccount = defineLimit('series made by an account', { hits: 30, window: hours(1) })
