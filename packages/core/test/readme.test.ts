import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { expect, it, vi } from 'vitest'
import * as core from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** The example with the package's name replaced by its sources, as a function of the model call. */
function runExample(callModel: (messages: core.Message[], tools: core.ToolSchema[]) => unknown) {
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
  const program = stripTypeScriptTypes(example).replace(
    /^import (\{[^}]*\}) from '@palimpsest\/core'$/m,
    'const $1 = core',
  )
  const make = new Function('core', 'callModel', `${program}\nreturn { ask, session, history }`)
  return make(core, callModel) as {
    ask(question: string): Promise<string>
    session: core.ContextSession
    history: core.Message[]
  }
}

it('the example works: a long conversation stays inside the window, and nothing of it is lost', async () => {
  const callModel = vi.fn(async (messages: core.Message[]) => ({
    message: { role: 'assistant', content: `answer to ${messages.length} messages` },
    usage: { prompt_tokens: core.countMessages(core.roughTokenCounter, messages), completion_tokens: 8 },
  }))
  const { ask, session, history } = runExample(callModel)
  for (let turn = 0; turn < 5; turn++) await ask(`question ${turn} ${'word '.repeat(30_000)}`)
  expect(callModel.mock.calls.map(([messages]) => messages.length)).toEqual([2, 4, 3, 5, 3])
  expect(callModel.mock.lastCall?.[0][1]?.content).toBe('(Earlier turns were left out.)')
  expect(history).toHaveLength(11)
  expect(session.transcript).toEqual(history.slice(0, 10))
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
