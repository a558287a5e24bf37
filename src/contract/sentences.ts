import { z } from 'zod'

type Issue = Parameters<NonNullable<z.core.$ZodErrorMap>>[0]

const largest = 2_147_483_647

const formats: Record<string, string> = {
  email: 'Enter an email address, such as name@example.com.',
  url: 'Enter a web address that starts with https://.',
  uuid: 'We do not know this one. Please load the page again.',
  guid: 'We do not know this one. Please load the page again.',
  datetime: 'Enter a day and a time.',
  date: 'Enter a day.',
  time: 'Enter a time, such as 09:00.',
}

const kinds: Record<string, string> = {
  string: 'Enter some text.',
  number: 'Enter a number.',
  int: 'Enter a whole number.',
  boolean: 'Choose yes or no.',
  array: 'Choose from the list.',
  date: 'Enter a day.',
}

/** What a person reads where the contract has no words of its own for what is wrong with a field. */
function sentenceOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'This is missing.'
      if (Number.isNaN(issue.input)) return 'This is missing, or not a number.'
      return kinds[issue.expected] ?? 'Check this.'
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive ?? true)
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive ?? true)
    case 'invalid_format':
      return formats[issue.format] ?? 'Check how this is written.'
    case 'not_multiple_of':
      return issue.divisor === 1 ? 'Enter a whole number.' : 'Use two decimals at most.'
    case 'invalid_value':
      return 'Choose from the list.'
    case 'invalid_union':
      return issue.input === undefined ? 'This is missing.' : 'Check this.'
    case 'unrecognized_keys':
      return 'There is more here than we can read.'
    default:
      return 'Check this.'
  }
}

function tooSmall(origin: string, least: number, isInclusive: boolean): string {
  if (origin === 'string') return least === 1 ? 'Fill this in.' : `Use at least ${spelt(least)} characters.`
  if (origin === 'array' || origin === 'set')
    return least === 1 ? 'Choose at least one.' : `Choose at least ${spelt(least)}.`
  if (Math.abs(least) >= largest) return 'This number is too small.'
  return isInclusive ? `Enter ${spelt(least)} or more.` : `Enter more than ${spelt(least)}.`
}

function tooBig(origin: string, most: number, isInclusive: boolean): string {
  if (origin === 'string') return `Use at most ${spelt(most)} ${most === 1 ? 'character' : 'characters'}.`
  if (origin === 'array' || origin === 'set') return `Choose at most ${spelt(most)}.`
  if (most >= largest) return 'This number is too large.'
  return isInclusive ? `Enter ${spelt(most)} or less.` : `Enter less than ${spelt(most)}.`
}

const spelt = (number: number) => number.toLocaleString('en-GB')

// For the whole process: the parts of the contract that take input load this file through common.ts.
z.config({ customError: sentenceOf })
