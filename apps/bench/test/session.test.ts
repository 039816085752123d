import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { session } from '../src/commands/session.ts'
import { runSession } from '../src/speed/measure-session.ts'

it('bench session measures a host from its first call to a restart, with each engine', async () => {
  const report = await runSession({
    seed: 1,
    sizes: [30],
    turns: 2,
    folder: tmpdir(),
    progress: { step: () => {}, done: () => {}, end: () => {} },
  })
  const engines = ['compressor lean', 'lcm', 'decisions']
  expect(report.rows.map(({ engine }) => engine)).toEqual(engines)
  for (const { engine, messages, turn, parsed, stringify, first, restart, read } of report.rows) {
    expect(messages).toBeGreaterThan(29)
    for (const time of [turn, parsed, stringify, first.cpu, restart.cpu]) expect(time).toBeGreaterThan(0)
    expect(read !== undefined).toBe(engine === 'lcm')
  }
  const [section] = [session.sections(report, {} as never)].flat()
  expect(section?.table?.rows).toHaveLength(3)
})
