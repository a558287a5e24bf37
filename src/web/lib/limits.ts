import { fieldLimits } from './field-limits.gen.ts'

/** The fields that forms use, by endpoint. */
export type Limited = typeof fieldLimits
type Limits = {
  maxLength?: number
  tooLong?: string
  minLength?: number
  tooShort?: string
  required?: string
}

/**
 * The contract's limits of a field in an endpoint's body, as rules of react-hook-form. Blank text and an empty checkbox
 * are missing. `npm run generate` finds the fields by these calls, so both names are literals.
 */
export function limitsOf<Key extends keyof Limited>(key: Key, field: keyof Limited[Key]) {
  const limits = fieldLimits[key][field] as Limits
  return {
    ...(limits.maxLength && { maxLength: { value: limits.maxLength, message: limits.tooLong ?? '' } }),
    ...(limits.minLength && { minLength: { value: limits.minLength, message: limits.tooShort ?? '' } }),
    ...(limits.required && {
      validate: (value: unknown) =>
        (typeof value === 'string' ? value.trim() !== '' : value === true) || limits.required,
    }),
  }
}
