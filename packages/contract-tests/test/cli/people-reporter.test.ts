import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createPeopleReporter } from '../../src/cli/people-reporter.ts'
import { countResults } from '../../src/cli/reporter.ts'
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

function report(cases: readonly CaseResult[], verbose = false): string {
  let text = ''
  const reporter = createPeopleReporter({
    write: (piece) => {
      text += piece
    },
    call: { module: './mine.js', options: {}, runs: 20 },
    verbose,
  })
  const plan = {
    engine: 'mine',
    capabilities: ['tools'] as const,
    expected: [],
    seed: 1,
    propertyRuns: 100,
    caseTimeoutMs: 120_000,
  }
  reporter.planned?.({ ...plan, cases })
  for (const one of cases) reporter.finished?.(one)
  const versions = { contractTests: '1.0.0', core: '1.0.0' }
  const known = { module: './mine.js', versions, options: {}, durationMs: 3_400 }
  reporter.ended?.({ ...plan, ...known, counts: countResults(cases), cases })
  return stripVTControlCharacters(text)
}

describe('the report for people', () => {
  const green = [
    result('C01', 'passed', undefined, ['100 conversations, 40 of them compacted']),
    result('C02', 'skipped', 'the engine does not declare lossless'),
    result('C03', 'skipped', 'left out'),
    result('C04', 'skipped', 'the engine does not declare lossless'),
  ]

  it('groups what was skipped', () => {
    expect(report(green)).toBe(
      [
        'skipped C02 C04: the engine does not declare lossless',
        'skipped C03: left out',
        'declared: tools',
        'mine: 1 passed, 0 failed, 3 skipped in 3.4 s',
        '',
      ].join('\n'),
    )
  })

  it('tells the notes to whom wants to know more', () => {
    expect(report(green, true)).toContain('\nC01: 100 conversations, 40 of them compacted\ndeclared: tools\n')
  })

  it('tells a reason once, and in the end where else it was found', () => {
    const cases = [
      result('C01', 'failed', 'one line\nand another'),
      result('C02', 'failed', 'something else'),
      result('C03', 'failed', 'one line\nand another'),
      result('C04', 'passed'),
      ...['C05', 'C06', 'C07'].map((id) => result(id, 'failed', 'one line\nand another')),
      result('C08', 'failed', 'something else'),
    ]
    expect(report(cases)).toBe(
      [
        'C01 case C01',
        '    one line',
        '    and another',
        'C02 case C02',
        '    something else',
        'the same as C01: C03, C05 to C07 (4 cases)',
        'the same as C02: C08',
        'declared: tools',
        'mine: 1 passed, 7 failed, 0 skipped in 3.4 s',
        '',
      ].join('\n'),
    )
  })

  it('tells where a reason was found before the run was stopped', () => {
    let text = ''
    const reporter = createPeopleReporter({
      write: (piece) => {
        text += piece
      },
      call: { module: '.', options: {}, runs: undefined },
      verbose: false,
    })
    for (const id of ['C01', 'C02']) reporter.finished?.(result(id, 'failed', 'why'))
    reporter.interrupted?.()
    expect(text).toMatch(/the same as C01: C02\ninterrupted after 2 of 0 cases\n$/)
  })

  it('shortens a long reason, also where a character would be cut in two', () => {
    const text = report([result('C01', 'failed', `${'x'.repeat(599)}😀 and more`)])
    expect(text).toContain(`    ${'x'.repeat(599)}… (--json has all of it)\n`)
    expect(text).not.toContain('and more')
  })

  it('tells how a property is repeated', () => {
    const text = report([result('P05', 'failed', 'for [{…}]'), result('C01', 'failed', 'why')])
    expect(text).toContain(
      '    for [{…}]\n    again: palimpsest-contract ./mine.js P05 --seed 1 --runs 20\nC01 case C01\n    why\ndeclared',
    )
  })
})
