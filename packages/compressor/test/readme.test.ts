import * as core from '@palimpsest/core'
import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as compressor from '../src/index.ts'

it('shows an example that works', async () => {
  const [example = ''] = examplesOf(new URL('../README.md', import.meta.url))
  const printed: string[] = []
  const console = { log: (...values: unknown[]) => printed.push(values.join(' ')) }
  await runExample(example, { '@palimpsest/core': core, '@palimpsest/compressor': compressor }, { console })
  expect(printed[0]).toMatch(/^122 messages became \d{1,2}, about \d{4} tokens$/)
  expect(printed[1]).toBe('compacted summarised-without-model')
})
