/** One caption. Times are in milliseconds from the start of the video. */
type Cue = { start: number; end: number; text: string }

/** Why a file is not WebVTT that can be shown, as a sentence. */
export type WebVttFault = { fault: string }

const maxCues = 5000
const maxCueLength = 1000
const example = '00:00:01.000 --> 00:00:04.000'

/**
 * Reads a WebVTT file and writes it anew with nothing but times and plain text: styles, regions, comments, settings and
 * tags are left out. Each character is looked at a fixed number of times.
 */
export function cleanWebVtt(bytes: Uint8Array): { text: string } | WebVttFault {
  const decoded = decode(bytes)
  if (decoded === undefined)
    return { fault: 'This file is not plain text. Please save the captions as WebVTT (.vtt).' }
  const lines = decoded.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')
  if (!isHeader(lines[0] ?? '')) {
    return { fault: 'A WebVTT file starts with the line WEBVTT. Please save the captions as WebVTT (.vtt).' }
  }
  const cues: Cue[] = []
  let at = endOfBlock(lines, 0)
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at += 1
      continue
    }
    const end = endOfBlock(lines, at)
    const read = isComment(lines[at] ?? '') ? undefined : readCue(lines, at, end, cues.at(-1)?.start ?? 0)
    if (read && 'fault' in read) return read
    if (read && read.text !== '') cues.push(read)
    if (cues.length > maxCues) return { fault: `These are more than ${maxCues} captions.` }
    at = end
  }
  if (cues.length === 0) return { fault: 'There are no captions in this file.' }
  return { text: `WEBVTT\n\n${cues.map(written).join('\n')}` }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

const isHeader = (line: string) =>
  line === 'WEBVTT' || line.startsWith('WEBVTT ') || line.startsWith('WEBVTT\t')
const isBlank = (line: string | undefined) => line === undefined || line.trim() === ''
const isComment = (line: string) => /^(NOTE|STYLE|REGION)(\s|$)/.test(line)

function endOfBlock(lines: readonly string[], from: number): number {
  let end = from
  while (end < lines.length && !isBlank(lines[end])) end += 1
  return end
}

/** A block of lines: perhaps a name, the times, the text. */
function readCue(lines: readonly string[], from: number, end: number, earliest: number): Cue | WebVttFault {
  const timesAt = lines[from]?.includes('-->') ? from : from + 1
  const times = timesAt < end ? (lines[timesAt] ?? '') : ''
  const arrow = times.indexOf('-->')
  const line = `Line ${Math.min(timesAt, end - 1) + 1}`
  const start = arrow < 0 ? undefined : milliseconds(times.slice(0, arrow))
  const until =
    arrow < 0
      ? undefined
      : milliseconds(
          times
            .slice(arrow + 3)
            .trimStart()
            .split(/\s/, 1)[0] ?? '',
        )
  if (start === undefined || until === undefined) {
    return { fault: `${line}: the times of a caption look like ${example}.` }
  }
  if (until <= start) return { fault: `${line}: this caption ends before it starts.` }
  if (start < earliest) return { fault: `${line}: this caption starts before the one above it.` }
  const text = lines
    .slice(timesAt + 1, end)
    .map(plain)
    .filter((each) => each !== '')
    .join('\n')
  if (text.length > maxCueLength) {
    return { fault: `${line}: this caption is longer than ${maxCueLength} characters. Please split it.` }
  }
  return { start, end: until, text }
}

/** `01:02.345`, with hours before it or not. */
function milliseconds(text: string): number | undefined {
  const found = /^(?:(\d{2,3}):)?([0-5]\d):([0-5]\d)\.(\d{3})$/.exec(text.trim())
  if (!found) return undefined
  const [, hours = '0', minutes, seconds, rest] = found
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest)
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&lrm;': '',
  '&rlm;': '',
}

/** A line of text without its tags and control characters. */
function plain(line: string): string {
  let text = ''
  let isInTag = false
  for (const character of line) {
    if (character === '<') isInTag = true
    else if (character === '>' && isInTag) isInTag = false
    else if (!isInTag && (character >= ' ' || character === '\t')) text += character
  }
  return text.replaceAll(/&(?:amp|lt|gt|nbsp|lrm|rlm);/g, (entity) => entities[entity] ?? entity).trim()
}

function written({ start, end, text }: Cue): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `${clock(start)} --> ${clock(end)}\n${escaped}\n`
}

function clock(time: number): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const seconds = Math.floor(time / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${two(hours)}:${two(minutes)}:${two(seconds % 60)}.${String(time % 1000).padStart(3, '0')}`
}
