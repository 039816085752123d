import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readTranscript } from '../src/index.ts'
import { fixture } from './support/recording.ts'

it('the example of the README runs and prints what it should', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  expect(example).toContain("import { readTranscript } from '@palimpsest/transcripts'")
  const body = example.replace(/^import .*$/m, '')
  const run = new Function('readTranscript', 'console', `return (async () => {${body}})()`)
  const printed: unknown[][] = []
  const print = (...values: unknown[]) => printed.push(values)
  await run(() => readTranscript(fixture('claude-code.jsonl')), { log: print, warn: print })
  expect(printed).toEqual([
    ['claude-code: 10 messages'],
    ['assistant', 1003],
    ['assistant', 1054],
    ['assistant', 502],
  ])
})
