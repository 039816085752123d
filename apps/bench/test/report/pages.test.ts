import { describe, expect, it } from 'vitest'
import { MEASURES } from '../../src/commands/measures.ts'
import { pageSections } from '../../src/report/page/page-sections.ts'
import { joinRuns } from '../../src/report/runs.ts'
import { renderMarkdown } from '../../src/report/section.ts'
import { fixtureRuns } from './fixture-runs.ts'

const runs = joinRuns(fixtureRuns)
const page = renderMarkdown(pageSections(runs))
const long = renderMarkdown(
  fixtureRuns.flatMap((run) => MEASURES[run.bench].sections(run.figures as never, run)),
)

const sectionOf = (text: string, title: string): string =>
  text.split(/^(?=#+ )/m).find((part) => part.replace(/^#+ /, '').startsWith(title)) ?? ''

describe('the page', () => {
  it('says what each measure rewards before any figure', () => {
    const [first = ''] = page.split(/^## /m)
    expect(first).toContain('a bare list of names')
    expect(first).not.toMatch(/0\.\d/)
  })

  it.each([
    ['What is kept', '| 32,000, lcm | 4 | 9,000 | 0.60 / 0.50 | 0.30 / 0.25 | – / – |'],
    ['What each measure rewards', '| names + scrap | a list of names'],
    ['Which engine', 'nothing may be lost | 2 more, 0 as much, 0 less |'],
    ['Values in dialogues', '| lcm | 0.60 | 0.60 | 0.50 | 0.30 | 0.60 | – |'],
    ['Finding a fact', '| 2 to 4 words from near it | default | 5 hits | 0.90 | 750 |'],
    ['Decisions read by rules', '| each word | 0.80 | 5 | 0.50 | 8 |'],
    ['Values that users change', '| 32,000, lcm | 0.80 / 0.70 / – | 0.10 / 0.10 | 0.00 / 0.00 |'],
    ['What it costs', '| lcm | 3 | $9.600 | $2.600 | $1.600 | $0.500 | $2.100 |'],
    ['How fast it is', '| compress, lean, offline | 4.0 ms (2.00) | 4.0 ms (2.00) |'],
    ['Where peers win', '| values | 16,000 | \\<script\\>'],
  ])('%s: a figure below its command', (title, row) => {
    const section = sectionOf(page, title)
    expect(section).toContain(row)
    if (!/^(Which|What each|Values that|Where)/.test(title))
      expect(section).toMatch(/`bench \w+ --data sessions`/)
  })

  it('quotes figures of the unseen conversations only', () => {
    expect(sectionOf(page, 'Decisions read by rules').match(/^\| each word /gm)).toHaveLength(1)
  })

  it('lets no peer win by a difference that the table cannot show', () => {
    expect(sectionOf(page, 'Where peers win')).not.toContain('| stale')
  })

  it('leaves out what was not measured', () => {
    const [kept] = fixtureRuns
    const short = renderMarkdown(pageSections(joinRuns(kept === undefined ? [] : [kept])))
    expect(short).toContain('What is kept')
    expect(short).not.toContain('What it costs')
    expect(short).toContain('In none.')
  })
})

describe('what the commands print', () => {
  it('has every table of every command', () => {
    expect(sectionOf(long, 'Values in generated dialogues')).toContain('0.600 (0.54 to 0.63)')
    expect(sectionOf(long, 'Speed')).toContain('≤ 2, MISSED')
    expect(sectionOf(long, 'Speed')).toContain('1 of 2 promises kept.')
    expect(sectionOf(long, 'The lossless engine')).toContain('= 2, kept')
    expect(long).toContain('`notes.txt` was skipped: it is none')
  })
})

describe('both', () => {
  it('keep tables whole and markup out, whatever a name holds', () => {
    for (const text of [page, long]) {
      expect(text).not.toContain('<script>')
      expect(text).toContain('\\| \\*')
      for (const [table] of text.matchAll(/(?:^\|.*\n)+/gm)) {
        const lines = table.trim().split('\n')
        const widths = lines.map((line) => line.replaceAll('\\|', '').split('|').length)
        expect(new Set(widths).size).toBe(1)
      }
    }
  })
})
