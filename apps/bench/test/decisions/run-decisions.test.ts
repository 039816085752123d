import { describe, expect, it } from 'vitest'
import { decisionSections } from '../../src/commands/decisions.ts'
import { renderFailures } from '../../src/decisions/render-failures.ts'
import { runDecisions } from '../../src/decisions/run-decisions.ts'
import { renderTerminal } from '../../src/report/render.ts'
import { labelledParts } from './labelled-parts.ts'
import { createOracle } from './oracle.ts'

const [dev, heldOut] = labelledParts.map((part) => [part])
if (dev === undefined || heldOut === undefined) throw new Error('a part is missing')

describe('bench decisions', () => {
  it('reports each part with its sizes, both measures, and the time of a message', async () => {
    const report = await runDecisions(
      createOracle(dev.flatMap(({ conversations }) => conversations)),
      [...dev, ...heldOut],
      1,
    )
    expect(report.parts.map(({ part, scores }) => [part, scores[0]?.total.recall])).toEqual([
      ['dev', 1],
      ['held-out', 0],
    ])
    for (const { languages, scores } of report.parts) {
      const sum = languages.slice(0, -1).reduce((total, { strict }) => total + strict.labels, 0)
      expect(sum).toBe(scores[0]?.total.labels)
    }
    for (const { speed } of report.parts) expect(speed.ratio).toBeGreaterThan(0)
    const text = renderTerminal(decisionSections(report))
    for (const word of [
      '`dev`:',
      '`held-out`:',
      'strict',
      'value',
      'retract',
      'µs',
      'question',
      'all but en',
    ])
      expect(text).toContain(word)
  })

  it('lists what was missed with its text when asked', async () => {
    const { parts } = await runDecisions(() => [], dev, 1)
    const text = renderFailures(parts)
    expect(text).toMatch(/dev-backend-3 \[2\] user: mysql\n {2}missed {2}assert\/accept datastore: mysql/)
  })
})
