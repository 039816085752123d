import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { renderLcm } from '../../src/lcm/render-lcm.ts'
import { runLcm } from '../../src/lcm/run-lcm.ts'

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('bench lcm', () => {
  it('measures every promise, finds every match, and leaves no file behind', async () => {
    const steps: string[] = []
    const progress = { step: (text: string) => steps.push(text), done: () => {}, end: () => {} }
    const { rows, ...report } = await runLcm({ seed: 1, sizes: [600, 300], effort: 0.1, folder, progress })
    console.log(`${rows.length} figures`)
    expect(readdirSync(folder)).toEqual([])
    expect(steps.at(0)).toBe('300 messages: write them')
    for (const { operation, ratio } of rows) expect(ratio, operation).toBeGreaterThan(0)
    const counts = rows.filter(({ unit }) => unit === 'messages')
    expect(counts.map(({ passed }) => passed)).toEqual([true, true, true, true])
    const table = renderLcm({ rows, ...report })
    const topics = [
      'size',
      'open',
      'rare word',
      '40 %',
      'Chinese',
      'regex',
      'write',
      'turn:',
      'leaf',
      'sweep',
    ]
    for (const topic of topics) expect(table).toContain(topic)
    expect(table).toMatch(/\d+ of \d+ targets met/)
  })
})
