import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { TEXT_READERS } from '../src/speed/hostile-texts.ts'
import { SUBJECTS } from '../src/speed/measure-requests.ts'
import { runSpeed } from '../src/speed/run-speed.ts'
import { isKept, ratioRow, timePair } from '../src/speed/time.ts'

describe('timePair', () => {
  it('runs both sides alike and prepares each run', async () => {
    const log: string[] = []
    const side = (name: string) => () => {
      log.push(`prepare ${name}`)
      return () => log.push(`run ${name}`)
    }
    const { measured, floor } = await timePair(side('a'), side('b'), { runs: 2 })
    expect(log.slice(0, 4)).toEqual(['prepare a', 'run a', 'prepare b', 'run b'])
    expect(log.filter((entry) => entry === 'run a')).toHaveLength(
      log.filter((entry) => entry === 'run b').length,
    )
    for (const { n, median } of [measured, floor]) expect([n, median >= 0]).toEqual([2, true])
  })
})

describe('a promise', () => {
  const row = { operation: 'search', messages: 1, unit: 'ms', floor: 2, against: 'SQL' } as const

  it('is kept at its target and not above, and by counts that agree', () => {
    const kept = (measured: number, promise: object) => isKept(ratioRow({ ...row, measured, ...promise }))
    expect([10, 10.1].map((measured) => kept(measured, { target: 5 }))).toEqual([true, false])
    expect([1, 2, 3].map((measured) => kept(measured, { exactly: 1 }))).toEqual([false, true, false])
    expect(kept(9, {})).toBeUndefined()
  })
})

describe('bench speed', () => {
  it('sets every figure beside a floor', async () => {
    const steps: string[] = []
    const { rows, hostile } = await runSpeed({
      seed: 1,
      sizes: [300, 200],
      effort: 0.01,
      main: fileURLToPath(new URL('../../palimpsest/src/main.ts', import.meta.url)),
      progress: { step: (text) => steps.push(text), done: () => {}, end: () => {} },
    })
    for (const { operation, measured, floor, ratio, n } of rows) {
      expect(ratio, operation).toBeCloseTo(measured / floor)
      expect(measured > 0 && floor > 0 && (n ?? 0) > 0, operation).toBe(true)
    }
    for (const part of [
      'plan breakpoints',
      'token estimate',
      'compress, lean',
      'compress, classic',
      'palimpsest replay',
      'LangChain',
      'AI SDK',
    ])
      expect(rows.some(({ operation }) => operation.includes(part))).toBe(true)
    for (const { name } of SUBJECTS) {
      const own = rows.filter(({ operation }) => operation.startsWith(`${name}: `))
      expect(own.map(({ messages }) => messages)).toEqual([200, 300])
    }
    expect(hostile.map(({ reader }) => reader)).toEqual(Object.keys(TEXT_READERS))
    expect(steps).toContain('hostile texts')
  })
})
