import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runFullSpeed } from '../../src/speed/run-full-speed.ts'
import type { FullSpeedReport } from '../../src/speed/speed-report.ts'
import { SUBJECTS } from '../../src/speed/subjects.ts'
import { generateConversation } from '../../src/workload/conversation.ts'
import { FAKE_RIPGREP } from '../lcm/fake-ripgrep.ts'

const SIZES = [200, 300]

describe('bench speed, whole', () => {
  const bin = mkdtempSync(join(tmpdir(), 'palimpsest-bench-bin-'))
  const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-bench-test-'))
  const steps: string[] = []
  let report: FullSpeedReport

  beforeAll(async () => {
    writeFileSync(join(bin, 'rg'), FAKE_RIPGREP)
    chmodSync(join(bin, 'rg'), 0o755)
    vi.stubEnv('PATH', `${bin}${delimiter}${process.env.PATH}`)
    vi.stubEnv('TMPDIR', scratch)
    const { messages } = generateConversation({ seed: 2, messages: 40 })
    report = await runFullSpeed({
      seed: 1,
      sizes: SIZES.toReversed(),
      data: [{ name: 'recorded', messages, entries: [], nativeCompactions: [] }],
      effort: 0.01,
      progress: { step: (text) => steps.push(text), done: () => {}, end: () => {} },
    })
  }, 300_000)
  afterAll(() => {
    vi.unstubAllEnvs()
    for (const folder of [bin, scratch]) rmSync(folder, { recursive: true })
  })

  it('sets every figure beside a floor', () => {
    const groups = new Set(report.rows.map(({ group }) => group))
    expect([...groups].sort()).toEqual(
      ['compressor', 'decisions', 'extractive', 'lcm', 'peers', 'session', 'tokens', 'transcripts'].sort(),
    )
    for (const { operation, measured, floor, ratio } of report.rows) {
      expect(measured, operation).toBeGreaterThan(0)
      expect(floor, operation).toBeGreaterThan(0)
      expect(ratio, operation).toBeCloseTo(measured / floor)
    }
    for (const { operation, unit, n } of report.rows)
      if (unit === 'ms' && !operation.startsWith('growth, sweep')) expect(n, operation).toBeGreaterThan(0)
  })

  it('names what the floors are', () => {
    const floors = new Set(report.rows.map(({ against }) => against))
    for (const floor of [
      'counting their tokens once',
      'JSON.parse of their lines',
      'JSON.stringify of the messages',
      'JSON.stringify of the request',
      'inserts of the same rows',
      'the FTS5 query',
      'ripgrep over the same text',
    ])
      expect(floors).toContain(floor)
  })

  it('finds as much as a scan does, and as ripgrep does', () => {
    const counts = report.rows.filter(({ unit }) => unit === 'messages')
    expect(counts.map(({ against }) => against)).toContain('ripgrep over the same text')
    for (const { operation, measured, floor } of counts) expect(measured, operation).toBe(floor)
  })

  it('draws a line with a point at each size', () => {
    expect(report.growth.map(({ operation }) => operation)).toHaveLength(SUBJECTS.length * 2 + 6)
    for (const { operation, points } of report.growth) {
      expect(
        points.map(({ messages }) => messages),
        operation,
      ).toEqual(SIZES)
      for (const { value } of points) expect(value, operation).toBeGreaterThan(0)
    }
  })

  it('shows that a session holds at least its messages', () => {
    expect(report.memory.map(({ what }) => what)).toEqual([
      'the messages alone',
      ...SUBJECTS.map(({ name }) => name),
    ])
    const [alone, ...sessions] = report.memory
    for (const { what, heap, floor } of sessions) {
      expect(heap, what).toBeGreaterThan(alone?.heap ?? Number.NaN)
      expect(floor).toBeGreaterThan(0)
    }
  })

  it('reads the recorded sessions', () => {
    const read = report.rows.filter(({ group }) => group === 'transcripts')
    expect(read.map(({ operation }) => operation)).toEqual(['read a session file: recorded'])
  })

  it('says which ripgrep it was and leaves no file behind', () => {
    expect(report.ripgrep).toBe("ripgrep 0.0.0 (a test's)")
    expect(report.notMeasured).toEqual([])
    expect(readdirSync(scratch)).toEqual([])
    expect(steps).toContain('303 messages: search with ripgrep')
  })
})
