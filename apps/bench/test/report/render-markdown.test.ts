import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../src/report/render-markdown.ts'
import { reportSections } from '../../src/report/report-sections.ts'
import { fixtureReport } from './fixture-report.ts'

const page = renderMarkdown(reportSections(fixtureReport), 'benchmarks')
const sectionOf = (title: string): string =>
  page
    .split(/^(?=#+ )/m)
    .find(
      (part) =>
        part.startsWith(`# ${title}`) || part.startsWith(`## ${title}`) || part.startsWith(`### ${title}`),
    ) ?? ''

describe('renderMarkdown', () => {
  it('says that it is generated, by what, where, and with which seeds', () => {
    const head = sectionOf('Benchmarks')
    for (const part of [
      'generated',
      '`pnpm bench --data sessions`',
      'Abacus, 2 cores',
      'node 24.0.0',
      '1 to 8',
      '2026-01-01',
    ])
      expect(head).toContain(part)
  })

  it.each([
    ['Far re-reference recall, assistant', '8,000 tokens, n 211', '| lcm | 0.600 (0.54 to 0.63) |'],
    ['Far re-reference recall, assistant, normalised', 'n 211', '| lcm |'],
    ['Far re-reference recall, user', 'n 31', '| Cutter | 0.200'],
    ['In short', 'reachable@1 by name | reachable@1 by context |', '| lcm | 0.600 | 0.600 | 0.300 |'],
    ['Reachable recall', 'reachable@1 by context, n 242', '| lcm | 8,000 | 0.600'],
    ['Tokens for each fact', '8,000 tokens', '| lcm | 1,667 | 1,667 |'],
    ['Position in the prompt', '0–10 %', '| lcm | 50 % |'],
    ['Recall by kind of identifier', 'path', '3 of 9'],
    ['What was sent', 'over the budget', '1 of 77'],
    ['After-compaction recall', 'tokens of the tail | projection ÷ tail | n', '| 3,700 | 2.40 | 409 |'],
    [
      'Beside the recorded host’s own summaries',
      '| raw tail up to that size | share ÷ tail |',
      '| one | 400 | 67 | native | 3,700 | 0.188 | 0.094 | 2.00 |',
    ],
    ['Items in the prompt', 'item recall, n 53', '| lcm | 8,000 | 0.600'],
    ['Items in the prompt or found by a tool', 'items@1, n 53', '| lcm | 8,000 | 0.990'],
    ['What was corrected', 'stale exposure, n 19', '| lcm | 8,000 | 0.600'],
    ['Abstention', 'abstention, n 53', '| lcm |'],
    ['Cost on recorded sessions', 'requests', '| lcm | 8,000 | 189 |'],
    ['Speed: compressor', '| n |', '≤ 2, kept'],
    ['Speed: compressor', 'promised', '≤ 2, MISSED'],
    ['Growth', '100,000 messages', '| a turn | 2.0 ms | 3.0 ms | 1.50 |'],
    ['Memory', 'as JSON', '3.0 MB | 1.5 MB | 2.00'],
  ])('%s: a table with its n', (title, head, row) => {
    const section = sectionOf(title)
    expect(section).toContain(head)
    expect(section).toContain(row)
  })

  it('names what was skipped and what was not measured', () => {
    expect(page).toContain('`notes.txt` was skipped: it is none')
    expect(page).toContain('- Not measured: peers above 1,000 messages')
    expect(sectionOf('What this does not measure')).toContain('No model answered')
    expect(sectionOf('What this does not measure')).toContain('1 recorded session,')
    expect(page).not.toContain('/opt/secret')
  })

  it('says how many sessions have cases, and one of something as one', () => {
    const found = 'Of 1 session, so many have cases of the assistant: beyond 8,000 tokens 1 (user: 1)'
    expect(sectionOf('Recall on recorded sessions')).toContain(found)
    expect(sectionOf('Recall on generated dialogues')).toContain('1 dialogue of 50 user turns, 90,000 tokens')
    expect(sectionOf('What is compared')).toContain('1 peer, 2 engines, 3 bounds')
  })

  it('keeps tables whole and markup out, whatever a name holds', () => {
    expect(page).not.toContain('<script>')
    expect(page).toContain('decisions \\| lcm')
    expect(page).toContain('two \\*engines\\*')
    for (const table of page.matchAll(/(?:^\|.*\n)+/gm)) {
      const widths = table[0]
        .trim()
        .split('\n')
        .map((line) => line.replaceAll('\\|', '').split('|').length)
      expect(new Set(widths).size).toBe(1)
    }
  })

  it('is the same for the same report, and leaves out what was not measured', () => {
    expect(renderMarkdown(reportSections(structuredClone(fixtureReport)), 'benchmarks')).toBe(page)
    const { recall: _, dialogues: __, bills: ___, ...speedOnly } = fixtureReport
    const short = renderMarkdown(reportSections(speedOnly), 'benchmarks')
    expect(short).toContain('## Speed')
    expect(short).not.toContain('Recall on')
  })
})
