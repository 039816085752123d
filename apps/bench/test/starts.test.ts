import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { measureStarts } from '../src/commands/starts.ts'

it('bench starts sets each start beside a process that does nothing', () => {
  const main = fileURLToPath(new URL('../../palimpsest/src/main.ts', import.meta.url))
  const rows = measureStarts({ main, seed: 1, runs: 1 })
  expect(rows.map(({ start }) => start)).toContain('palimpsest serve, until it listens')
  for (const { start, measured, floor } of rows) expect(measured, start).toBeGreaterThan(floor)
})
