import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { countResults } from '../../src/cli/contract-report.ts'
import { createPeopleReporter } from '../../src/cli/people-reporter.ts'
import type { CaseResult } from '../../src/index.ts'

const result = (
  id: string,
  status: CaseResult['status'],
  reason?: string,
  notes: string[] = [],
): CaseResult => ({
  id,
  title: `case ${id}`,
  status,
  notes,
  durationMs: 1,
  ...(reason !== undefined && { reason }),
})

function report(cases: readonly CaseResult[]): string {
  let text = ''
  const shown: string[] = []
  const reporter = createPeopleReporter(
    (piece) => {
      text += piece
    },
    { show: (line) => shown.push(line), clear() {} },
  )
  const plan = { engine: 'mine', capabilities: ['tools'] as const, expected: [], seed: 1, propertyRuns: 100 }
  reporter.planned?.({ ...plan, cases })
  for (const one of cases) {
    reporter.started?.(one.id)
    reporter.finished?.(one)
  }
  expect(shown).toEqual(cases.map(({ id }, index) => `${id}  ${index} of ${cases.length}`))
  const versions = { contractTests: '1.0.0', core: '1.0.0' }
  const known = { module: './mine.js', versions, options: {}, durationMs: 3_400 }
  reporter.ended?.({ ...plan, ...known, counts: countResults(cases), cases })
  return stripVTControlCharacters(text)
}

describe('the report for people', () => {
  it('groups what was skipped, and tells the notes', () => {
    const cases = [
      result('C01', 'passed', undefined, ['100 conversations, 40 of them compacted']),
      result('C02', 'skipped', 'the engine does not declare lossless'),
      result('C03', 'skipped', 'left out'),
      result('C04', 'skipped', 'the engine does not declare lossless'),
    ]
    expect(report(cases)).toBe(
      [
        'skipped C02 C04: the engine does not declare lossless',
        'skipped C03: left out',
        'C01: 100 conversations, 40 of them compacted',
        'declared: tools',
        'mine: 1 passed, 0 failed, 3 skipped in 3.4 s',
        '',
      ].join('\n'),
    )
  })

  it('tells the same reason once', () => {
    const cases = [
      result('C01', 'failed', 'one line\nand another'),
      result('C02', 'failed', 'one line\nand another'),
      result('C03', 'failed', 'something else'),
    ]
    expect(report(cases)).toBe(
      [
        'C01 case C01',
        '    one line',
        '    and another',
        'C02 case C02',
        '    for the same reason',
        'C03 case C03',
        '    something else',
        'declared: tools',
        'mine: 0 passed, 3 failed, 0 skipped in 3.4 s',
        '',
      ].join('\n'),
    )
  })
})
