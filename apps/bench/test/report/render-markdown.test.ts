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
    ['Reachable recall@1', 'n 242', '| lcm |'],
    ['Tokens for each fact', '8,000 tokens', '| lcm | 1,667 | 1,667 |'],
    ['Position in the prompt', '0–10 %', '| lcm | 50 % |'],
    ['Recall by kind of identifier', 'path', '3 of 9'],
    ['What was sent', 'over the budget', '1 of 77'],
    ['After-compaction recall', 'projection ÷ tail | n', '2.40 | 409 |'],
    ['Beside the recorded host’s own summaries', '| n |', '| 67 | 0.188 in 3,700 |'],
    ['Items in the prompt', 'item recall, n 53', '| lcm | 8,000 | 0.600'],
    ['Items in the prompt or found by a tool', 'items@1, n 53', '| lcm | 8,000 | 0.990'],
    ['What was corrected', 'stale exposure, n 19', '| lcm | 8,000 | 0.600'],
    ['Abstention', 'abstention, n 53', '| lcm |'],
    ['Cost on recorded sessions', 'requests', '| lcm | 8,000 | 189 |'],
    ['Speed: compressor', '| n |', '≤ 2, kept'],
    ['Speed: compressor', 'promised', '≤ 2, MISSED'],
    ['Growth', '100,000 messages', '| a turn | 2.0 ms | 3.0 ms |'],
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
