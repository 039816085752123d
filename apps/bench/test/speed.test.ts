import { expect, it } from 'vitest'
import { ENGINES } from '../src/arms/engines.ts'
import { speed } from '../src/commands/speed.ts'
import { runSpeed } from '../src/speed/run-speed.ts'
import { timeRow } from '../src/speed/time.ts'

it('a time and its floor are measured in turn, after as many rounds that do not count', async () => {
  const log: string[] = []
  const labels = { operation: 'o', messages: 1, against: 'b' }
  const prepare = async () => {
    log.push('prepare')
    return () => log.push('run')
  }
  const { n } = await timeRow(labels, prepare, () => log.push('floor'), 2)
  expect(log).toEqual(Array.from({ length: 4 }, () => ['prepare', 'run', 'floor']).flat())
  expect(n).toBe(2)
})

it('bench speed sets every figure beside a floor', async () => {
  const report = await runSpeed({
    seed: 1,
    sizes: [300, 200],
    effort: 0.01,
    progress: () => {},
  })
  const operations = report.rows.map(({ operation }) => operation)
  expect(operations.some((operation) => operation.includes('compress, without a model'))).toBe(true)
  for (const { name } of ENGINES) {
    const own = report.rows.filter(({ operation }) => operation.startsWith(`${name}: `))
    expect(own.map(({ messages }) => messages)).toEqual([200, 300])
  }
  for (const { measured, floor, n } of report.rows) expect(Math.min(measured, floor, n)).toBeGreaterThan(0)
  const [section] = [speed.sections(report, {} as never)].flat()
  expect(section?.table?.rows).toHaveLength(report.rows.length)
})
