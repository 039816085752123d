import { readFileSync } from 'node:fs'
import * as core from '@palimpsest/core'
import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as summaries from '../src/index.ts'

const README = new URL('../README.md', import.meta.url)

it('shows an example that prints what the page says', async () => {
  const [example = ''] = examplesOf(README)
  const printed: string[] = []
  const console = { log: (...values: unknown[]) => printed.push(values.join(' ')) }
  await runExample(example, { '@palimpsest/core': core, '@palimpsest/summaries': summaries }, { console })
  const [, shown] = /```text\n([\s\S]*?)\n```/.exec(readFileSync(README, 'utf8')) ?? []
  expect(printed.join('\n')).toBe(shown)
})
