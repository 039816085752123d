import { describe, expect, it } from 'vitest'
import { judge } from '../../src/lcm/lcm-row.ts'
import { renderLcm } from '../../src/lcm/render-lcm.ts'

describe('renderLcm', () => {
  it('shows what was promised, and what was missed', () => {
    const row = { messages: 1_000, unit: 'ms', floor: 2, against: 'SQL' } as const
    const rows = [
      judge({ ...row, operation: 'open', measured: 4, target: 5 }),
      judge({ ...row, operation: 'grep', measured: 40, target: 5 }),
      judge({ ...row, operation: 'sweep', measured: 20_000 }),
    ]
    const lines = renderLcm({ node: 'v1', sqlite: '2', seed: 3, rows }).split('\n')
    const lineOf = (text: string) => lines.find((line) => line.includes(text))
    expect(lineOf('open')).toMatch(/1,000 .* 4\.0 ms .* 2\.0 ms .* SQL .* 2\.00 .* ≤ 5 .* ok/)
    expect(lineOf('grep')).toContain('MISSED')
    expect(lineOf('sweep')).toContain('20.0 s')
    expect(lineOf('targets')).toBe('1 of 2 targets met.')
  })
})
