import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as compressor from '../../compressor/src/index.ts'
import * as core from '../src/index.ts'

const file = new URL('../README.md', import.meta.url)
const readme = readFileSync(file, 'utf8')

it('the example prints what the page shows: a long conversation stays inside the window, and nothing of it is lost', async () => {
  const [example = ''] = examplesOf(file)
  const [, shown = ''] = /```text\n([\s\S]*?)```/.exec(readme) ?? []
  const printed: string[] = []
  const console = { log: (line: string) => printed.push(line) }
  const session = (await runExample(
    example,
    { '@palimpsest/core': core, '@palimpsest/compressor': compressor },
    { console },
    'session',
  )) as core.ContextSession
  expect(`${printed.join('\n')}\n`).toBe(shown)
  expect(session.transcript).toHaveLength(14)
})

it('names every error code and every event', () => {
  for (const code of [
    'INVALID_ENGINE',
    'INVALID_OPTION',
    'INVALID_MESSAGES',
    'CONTEXT_OVERFLOW',
    'SESSION_ENDED',
    'DISPOSED',
  ])
    expect(readme).toContain(code)
  const events: Record<core.SessionEvent['type'], true> = {
    ingested: true,
    edited: true,
    compaction: true,
    undone: true,
    usage: true,
    violations: true,
    warning: true,
    reset: true,
    ended: true,
  }
  for (const event of Object.keys(events)) expect(readme).toContain(`\`${event}\``)
})
