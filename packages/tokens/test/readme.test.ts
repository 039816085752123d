import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as tokens from '../src/index.ts'

it('shows an example that works', async () => {
  const [example = ''] = examplesOf(new URL('../README.md', import.meta.url))
  const printed: unknown[] = []
  const console = { log: (value: unknown) => printed.push(value) }
  await runExample(example, { '@palimpsest/tokens': tokens }, { console })
  expect(printed[0]).toBe(2)
  expect(printed[1]).toBeGreaterThan(6)
})
