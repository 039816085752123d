import { describe, expect, it } from 'vitest'
import { LABELLED_SET } from '../../src/decisions/labelled/labelled-set.ts'
import { renderDecisions } from '../../src/decisions/render-decisions.ts'
import { runDecisions } from '../../src/decisions/run-decisions.ts'
import { createOracle } from './oracle.ts'

describe('bench decisions', () => {
  it('reports each part with its sizes, both measures, and the time of a message', async () => {
    const report = await runDecisions(createOracle(LABELLED_SET.dev), ['dev', 'held-out'], 1)
    expect(report.parts.map(({ part, scores }) => [part, scores[0]?.total.recall])).toEqual([
      ['dev', 1],
      ['held-out', 0],
    ])
    for (const { speed } of report.parts) expect(speed.ratio).toBeGreaterThan(0)
    const text = renderDecisions(report)
    for (const word of ['dev:', 'held-out:', 'strict', 'value', 'retract', 'µs', 'question'])
      expect(text).toContain(word)
    expect(text).not.toContain('missed')
  })

  it('lists what was missed with its text when asked', async () => {
    const text = renderDecisions(await runDecisions(() => [], ['dev'], 1), true)
    expect(text).toMatch(/dev-backend-3 \[2\] user: mysql\n {2}missed {2}assert\/accept datastore: mysql/)
  })
})
