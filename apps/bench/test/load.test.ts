import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { commandOf } from '../../../scripts/command-of.ts'
import { runLoad } from '../src/load/run-load.ts'

it('bench load measures requests through a service, beside a large one and over time', async () => {
  const steps: string[] = []
  const { latencies, beside, rates, memory } = await runLoad({
    seed: 1,
    histories: [1, 20],
    large: 200,
    requests: 30,
    repeats: 2,
    command: commandOf('apps/palimpsest/src/main.ts'),
    folder: tmpdir(),
    progress: { step: (text) => steps.push(text), done: () => {}, end: () => {} },
  })
  expect(latencies.map(({ length }) => length)).toEqual([1, 20])
  for (const { direct, through, first } of latencies)
    for (const time of [direct.p50, through.p95 - through.p50 + 1, through.p50, first])
      expect(time).toBeGreaterThan(0)
  const { small, large } = beside
  expect([small.alone.n > 0, small.first.n > 0, small.later.n > 0, large.later.n]).toEqual([
    true,
    true,
    true,
    2,
  ])
  expect(memory.held.map(({ requests }) => requests)).toEqual([0, 6, 12, 18, 24, 30])
  expect(memory.alive.map(({ requests }) => requests)).toEqual([0, 30])
  for (const { heap } of memory.alive) expect(heap).toBeGreaterThan(1e7)
  for (const { resident, heap, external } of memory.held) {
    expect(resident).toBeGreaterThan(heap + external)
    expect(heap).toBeGreaterThan(1e7)
  }
  expect(rates.map(({ length }) => length)).toEqual([1, 20])
  for (const { direct, through, processor, json } of rates) {
    expect(Math.min(direct, through)).toBeGreaterThan(0)
    expect(processor).toBeGreaterThan(json)
  }
  expect(steps).toHaveLength(5)
})
