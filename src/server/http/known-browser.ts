import { marksKept, marksLastDays } from './caller.ts'

/*
 * The marks that a browser keeps of the accounts that were signed in to in it, each signed by the server. A mark grants
 * no access: it only separates failed sign-ins in this browser from those of strangers.
 */

const cookie = 'hearth_known'
const path = '/api/v7'
const mark = /^[0-9a-z]{1,11}\.[\w-]{43}$/

/** The marks that a browser sends, with their signatures unchecked. None when the cookie is malformed. */
export function readMarks(header: string | undefined): string[] {
  const prefix = `${cookie}=`
  const pair = header?.split(';').find((part) => part.trim().startsWith(prefix))
  const marks = pair?.trim().slice(prefix.length).split('~') ?? []
  return marks.length <= marksKept && marks.every((each) => mark.test(each)) ? marks : []
}

/** @param marks at most `marksKept` */
export function marksCookie(marks: readonly string[], isSecure: boolean): string {
  const attributes = `Path=${path}; Max-Age=${marksLastDays * 86_400}; HttpOnly; SameSite=Strict`
  return `${cookie}=${marks.join('~')}; ${attributes}${isSecure ? '; Secure' : ''}`
}
