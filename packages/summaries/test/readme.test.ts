import { readFileSync } from 'node:fs'
import { testContextEngine } from '@palimpsest/contract-tests/vitest'
import * as core from '@palimpsest/core'
import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as summaries from '../src/index.ts'

const README = new URL('../README.md', import.meta.url)
const [example = ''] = examplesOf(README)
const printed: string[] = []
const engine = (await runExample(
  example,
  { '@palimpsest/core': core, '@palimpsest/summaries': summaries },
  { console: { log: (...values: unknown[]) => printed.push(values.join(' ')) } },
  'exported',
)) as core.EngineDefinition

it('shows an example that prints what the page says', () => {
  const [, shown] = /```text\n([\s\S]*?)\n```/.exec(readFileSync(README, 'utf8')) ?? []
  expect(printed.join('\n')).toBe(shown)
})

testContextEngine({
  name: 'the engine of the README',
  create: ({ options, ...host }) => engine.create(options, host),
  expectCapabilities: ['summarizer'],
  propertyRuns: 8,
})
