import { extractMessage } from '@palimpsest/decisions'
import { describe, expect, it } from 'vitest'
import { decisionSections, renderFailures, runDecisions } from '../../src/commands/decisions.ts'
import { scoreRecords } from '../../src/decisions/score-record.ts'
import { renderMarkdown } from '../../src/report/section.ts'
import { labelledParts } from './labelled-parts.ts'
import { createOracle } from './oracle.ts'

const [dev, heldOut] = labelledParts.map((part) => [part])
if (dev === undefined || heldOut === undefined) throw new Error('a part is missing')

describe('bench decisions', () => {
  it('reports each part with its sizes and both measures', () => {
    const oracle = createOracle(dev.flatMap(({ conversations }) => conversations))
    const report = runDecisions(oracle, [...dev, ...heldOut])
    expect(report.parts.map(({ part, scores }) => [part, scores[0]?.total.recall])).toEqual([
      ['dev', 1],
      ['held-out', 0],
    ])
    for (const { languages, scores } of report.parts) {
      const sum = languages.slice(0, -1).reduce((total, { strict }) => total + strict.labels, 0)
      expect(sum).toBe(scores[0]?.total.labels)
    }
    const text = renderMarkdown(decisionSections(report))
    for (const word of ['`dev`:', '`held-out`:', 'strict', 'value', 'retract', 'all but en'])
      expect(text).toContain(word)
  })

  it('puts the rules beside the simplest readers', () => {
    const { parts } = runDecisions(extractMessage, heldOut)
    const [rules, ...simple] = parts[0]?.readers ?? []
    expect(simple.length).toBe(2)
    for (const { reader, score } of simple) {
      expect(score.hits, reader).toBeGreaterThan(0)
      expect(score.precision ?? 1, reader).toBeLessThan(rules?.score.precision ?? 0)
    }
    const text = renderMarkdown(decisionSections({ parts }))
    expect(text).toContain('| held-out | each named technology |')
  })

  it('compares what is on record at the end of a conversation', async () => {
    const records = await scoreRecords(new URL('../../', import.meta.url))
    for (const { part, conversations, failures, total } of records) {
      expect(conversations - failures.length, part).toBeGreaterThan(0.9 * conversations)
      expect(total.labels, part).toBeGreaterThan(90)
    }
    const text = renderMarkdown(decisionSections({ parts: [], records }))
    expect(text).toContain('| held-out | 166 |')
  })

  it('lists what was missed with its text when asked', () => {
    const { parts } = runDecisions(() => [], dev)
    const text = renderFailures(parts)
    expect(text).toMatch(/dev-backend-3 \[2\] user: mysql\n {2}missed {2}assert\/accept datastore: mysql/)
  })
})
