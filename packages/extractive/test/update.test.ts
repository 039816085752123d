import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { summarizeExtractively } from '../src/index.ts'
import { assistant, call, conversations, quarter, section, user } from './conversation.ts'

const input = { maxTokens: 3000, tokens: quarter }

describe('updating an earlier summary', () => {
  it('counts on: one first line, turns numbered over all updates', () => {
    const first = summarizeExtractively({ ...input, messages: [user('Build the exporter for invoices.')] })
    const second = summarizeExtractively({
      ...input,
      messages: [user('Now the importer, please.')],
      previousSummary: first,
    })
    expect(second.match(/\[Mechanical extract/g)).toHaveLength(1)
    expect(second).toContain('of 2 messages (user turns 1-2)')
    expect(section(second, 'Goal')).toEqual([
      '- t1 user: "Build the exporter for invoices."',
      '- t2 user: "Now the importer, please."',
    ])
  })

  it('adds up what was done to a file, under either form of its path', () => {
    const first = summarizeExtractively({
      ...input,
      messages: [user('go on'), ...call('Read', { file_path: '/home/me/app/src/a.ts' }, 'x')],
    })
    const messages = [
      user('and edit'),
      ...call('Edit', { file_path: '/home/me/app/src/a.ts' }, 'ok'),
      ...call('read', { path: 'src/a.ts' }, 'x'),
    ]
    const second = summarizeExtractively({ ...input, messages, previousSummary: first })
    expect(section(second, 'Relevant Files')).toEqual([
      '- /home/me/app/src/a.ts (edited 1, read 2; last edited t2)',
    ])
  })

  it('replaces a value by its later one', () => {
    const first = summarizeExtractively({ ...input, messages: [user('The retry limit of the worker is 5.')] })
    const second = summarizeExtractively({
      ...input,
      messages: [user('The retry limit of the worker is 9.')],
      previousSummary: first,
    })
    expect(section(second, 'Critical Context')).toEqual(['- t2 user: retry limit of the worker is 9'])
  })

  it('moves a failure that was answered, and forgets what was in progress', () => {
    const first = summarizeExtractively({
      ...input,
      messages: [user('Run the tests.'), ...call('bash', { command: 'npm test' }, 'Tests 2 failed', true)],
    })
    expect(section(first, 'Blocked')).toHaveLength(1)
    const messages = [
      ...call('bash', { command: 'npm test' }, 'Tests 4 passed'),
      assistant('All four tests pass now.'),
    ]
    const second = summarizeExtractively({ ...input, messages, previousSummary: first })
    expect(section(second, 'Blocked')).toEqual([])
    expect(section(second, 'In Progress')).toEqual([])
    expect(section(second, 'Errors & Fixes')).toEqual([
      '- t1 `npm test` failed: "Tests 2 failed"; succeeded at t1',
    ])
  })

  it('merges what a model wrote, whatever its headings look like, and keeps its extra sections', () => {
    const previousSummary = [
      'Some introduction.',
      '# Goal',
      'Ship the ledger',
      'before Friday.',
      '**Constraints & Preferences**',
      '* Always use tabs',
      '## Progress',
      '### Done',
      '1. Wrote the parser',
      '   - with tests',
      '### Blocked',
      '(none)',
      '## Relevant Files',
      '- `src/parser.ts`: the parser',
      '## Team Notes',
      '- Ask the finance team',
      '### Open points',
      '- rounding',
    ].join('\n')
    const messages = [
      user('Continue with the printer, please.'),
      ...call('edit', { path: 'src/parser.ts' }, 'ok'),
    ]
    const summary = summarizeExtractively({ ...input, messages, previousSummary })
    expect(summary).toContain('of 3 messages (user turns 1-1) and an earlier summary')
    expect(section(summary, 'Goal')[0]).toBe('- Ship the ledger before Friday.')
    expect(section(summary, 'Constraints & Preferences')).toEqual(['- Always use tabs'])
    expect(section(summary, 'Done')[0]).toBe('- Wrote the parser; with tests')
    expect(section(summary, 'Relevant Files')).toEqual([
      '- src/parser.ts (edited 1; last edited t1): the parser',
    ])
    expect(section(summary, 'Team Notes')).toEqual(['- Ask the finance team', '- Open points: rounding'])
    expect(section(summary, 'Critical Context')).toContain('- Some introduction.')
    expect(summary).not.toContain('(none)')
  })

  it('tells an old plan as one', () => {
    const previousSummary = '## Next Steps\n- Delete the old table'
    const summary = summarizeExtractively({
      ...input,
      messages: [user('What about the docs?')],
      previousSummary,
    })
    expect(section(summary, 'Next Steps')).toEqual(['- planned before: "Delete the old table"'])
    const again = summarizeExtractively({
      ...input,
      messages: [user('And the tests?')],
      previousSummary: summary,
    })
    expect(section(again, 'Next Steps')).toEqual(['- planned before: "Delete the old table"'])
  })

  it('lets old, one-off items fade first and keeps lasting rules and the first ask', () => {
    const turns = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => [
        user(`Please adjust the margin of the dialog number ${from + index} a little.`),
        assistant(`Adjusted the margin of dialog ${from + index}.`),
      ]).flat()
    let summary = summarizeExtractively({
      ...input,
      maxTokens: 500,
      messages: [
        user('Write a manual for the coffee machine.'),
        user('Always write in British English.'),
        ...turns(0, 20),
      ],
    })
    for (let round = 1; round < 6; round++)
      summary = summarizeExtractively({
        ...input,
        maxTokens: 500,
        messages: turns(20 * round, 20 * round + 20),
        previousSummary: summary,
      })
    expect(summary).toContain('t1 user: "Write a manual for the coffee machine."')
    expect(summary).toContain('t2 user: "Always write in British English."')
    expect(summary).toContain('dialog number 119')
    expect(summary).not.toContain('dialog number 3 ')
  })

  it('loses no item as long as there is room', () => {
    const kept = ['Goal', 'Constraints & Preferences', 'Done', 'Key Decisions']
    const said = (line: string): string =>
      line
        .replace(/^- t\d+ /, '- ')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
    fc.assert(
      fc.property(conversations, conversations, (first, second) => {
        const room = { maxTokens: 1_000_000, tokens: quarter }
        const before = summarizeExtractively({ ...room, messages: first })
        const after = summarizeExtractively({ ...room, messages: second, previousSummary: before })
        for (const heading of kept) {
          const lines = section(after, heading).map(said)
          for (const line of section(before, heading)) expect(lines).toContain(said(line))
        }
      }),
      { numRuns: 200 },
    )
  })
})
