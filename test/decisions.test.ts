import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decisionIndex, problemsOf, readDecision, readDecisions } from '../scripts/decisions.ts'

const record = (
  number: number,
  { head = '- Status: accepted', sections = ['Context', 'Decision', 'Consequences', 'Given up'] } = {},
) =>
  readDecision(
    `000${number}-subject.md`,
    `# ${number}. A subject\n\n- Date: 2026-11-22\n${head}\n\n${sections.map((name) => `## ${name}\n\nWords.\n`).join('\n')}`,
  )

describe('the decision records', () => {
  test('follow the template, and relate to each other both ways', () => {
    const decisions = readDecisions()
    expect(decisions.length).toBeGreaterThan(25)
    expect(problemsOf(decisions)).toEqual([])
  })

  test('are all in the index', () => {
    const index = readFileSync(new URL('../docs/decisions/README.md', import.meta.url), 'utf8')
    expect(index, 'run npm run generate').toBe(decisionIndex(readDecisions()))
    for (const { file } of readDecisions()) expect(index).toContain(`](${file})`)
  })
})

describe('the check of decision records', () => {
  test('accepts the template, with and without relations', () => {
    expect(problemsOf([record(1), record(2)])).toEqual([])
    const old = record(1, { head: '- Status: superseded\n- Superseded by: [2](0002-subject.md)' })
    expect(
      problemsOf([old, record(2, { head: '- Status: accepted\n- Supersedes: [1](0001-subject.md)' })]),
    ).toEqual([])
  })

  test.each([
    [
      'a missing section',
      { sections: ['Context', 'Decision', 'Given up'] },
      'has the sections Context, Decision, Given up',
    ],
    [
      'sections in another order',
      { sections: ['Decision', 'Context', 'Consequences', 'Given up'] },
      'has the sections',
    ],
    ['an unknown status', { head: '- Status: draft' }, 'has the status draft'],
    [
      'another line at the head',
      { head: '- Status: accepted\n- Author: Ada' },
      'has another line at its head',
    ],
    [
      'a link to no record',
      { head: '- Status: accepted\n- Amends: [7](0007-none.md)' },
      'links to 0007-none.md',
    ],
  ])('rejects %s', (_what, parts, problem) => {
    expect(problemsOf([record(1, parts)]).join('\n')).toContain(problem)
  })

  test('rejects an empty section, another number and a number used twice', () => {
    const [good] = [record(1)]
    const text = (change: (text: string) => string) =>
      problemsOf([readDecision(good.file, change(good.text))]).join('\n')
    expect(text((each) => each.replace('Words.', ''))).toContain('says nothing under Context')
    expect(text((each) => each.replace('# 1.', '# 2.'))).toContain('does not begin with # 1.')
    expect(text((each) => each.replace('2026-11-22', 'yesterday'))).toContain('has no date')
    expect(problemsOf([good, record(1)]).join('\n')).toContain('has a number twice')
  })

  test('rejects a relation that only one of two records knows', () => {
    const superseding = record(2, { head: '- Status: accepted\n- Supersedes: [1](0001-subject.md)' })
    expect(problemsOf([record(1), superseding]).join('\n')).toContain(
      '0001-subject.md does not say "Superseded by: 2"',
    )
    const superseded = record(1, { head: '- Status: superseded\n- Superseded by: [2](0002-subject.md)' })
    expect(problemsOf([superseded, record(2)]).join('\n')).toContain(
      '0002-subject.md does not say "Supersedes: 1"',
    )
    const unmarked = record(1, { head: '- Status: accepted\n- Superseded by: [2](0002-subject.md)' })
    expect(problemsOf([unmarked, superseding]).join('\n')).toContain('has the status accepted')
  })
})
