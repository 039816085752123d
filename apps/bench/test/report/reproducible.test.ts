import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTokenCounter } from '@palimpsest/tokens'
import { afterAll, describe, expect, it } from 'vitest'
import { ARMS } from '../../src/arms/arms.ts'
import { truncate } from '../../src/arms/bounds.ts'
import { runBills } from '../../src/cost/run-bills.ts'
import { runRecall } from '../../src/recall/run-recall.ts'
import type { BenchReport, Varying } from '../../src/report/bench-report.ts'
import { renderHtml } from '../../src/report/render-html.ts'
import { renderMarkdown } from '../../src/report/render-markdown.ts'
import { reportSections } from '../../src/report/report-sections.ts'
import { readSessions } from '../../src/sessions/read-sessions.ts'
import { generateConversation } from '../../src/workload/conversation.ts'
import { fixtureReport } from './fixture-report.ts'

const progress = { step: () => {}, done: () => {}, end: () => {} }
const arms = [truncate, ...ARMS.filter(({ name }) => name === 'lcm')]

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-test-'))
afterAll(() => rmSync(folder, { recursive: true }))
const { messages } = generateConversation({ seed: 5, messages: 60 })
writeFileSync(join(folder, 'small.json'), JSON.stringify(messages))

/** A run on a small session, by somebody else, later. */
async function run(varying: Varying): Promise<BenchReport> {
  const input = { ...(await readSessions(folder)), arms, budgets: [8_000], progress }
  const { command, versions, seeds } = fixtureReport
  return {
    command,
    versions,
    seeds,
    arms: arms.map(({ name, kind, description }) => ({ name, kind, description })),
    recall: await runRecall({ ...input, tokens: createTokenCounter() }),
    bills: await runBills({ ...input, tokens: createTokenCounter() }),
    ...varying,
  }
}

describe('a report', () => {
  it('is the same in every run, byte for byte, but for what says so', async () => {
    const { machine } = fixtureReport
    const one = await run({ machine, date: '2026-01-01', times: {} })
    const other = await run({
      machine: { ...machine, cores: 64 },
      date: '2027-12-31',
      times: { planning: [] },
    })
    const { machine: _, date: __, times: ___, ...same } = one
    const { machine: ____, date: _____, times: ______, ...again } = other
    expect(JSON.stringify(again)).toBe(JSON.stringify(same))
    const sections = reportSections(one)
    const sectionsAgain = reportSections({ ...other, machine, date: one.date, times: {} })
    expect(renderMarkdown(sectionsAgain, 'pictures')).toBe(renderMarkdown(sections, 'pictures'))
    expect(renderHtml(sectionsAgain)).toBe(renderHtml(sections))
  })
})
