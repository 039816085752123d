import { ModelError } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { chatToPipe } from '../../src/chat/run-chat.ts'
import { COMPACTED, createFakeAgent, type FakeAgentInput } from './fake-agent.ts'

interface Options extends FakeAgentInput {
  readonly json?: boolean
  readonly isShown?: boolean
  readonly signal?: AbortSignal
}

async function ask({ json = false, isShown = false, signal, ...agent }: Options) {
  const output = { out: '', log: [] as string[] }
  const code = await chatToPipe({
    agent: createFakeAgent(agent),
    question: 'which port?',
    json,
    notice: undefined,
    signal: signal ?? new AbortController().signal,
    out(text) {
      output.out += text
    },
    isShown,
    log: (line) => output.log.push(line),
  })
  return { code, ...output }
}

const EVENTS: NonNullable<FakeAgentInput['answer']> = async (_text, { on }) => {
  on({ type: 'tool-start', id: '1', name: 'read', summary: 'src/\x1b[31mconfig.ts' })
  on({ type: 'tool-end', id: '1', name: 'read', ok: false, result: 'no such file' })
  on({
    type: 'compaction',
    trigger: 'threshold',
    result: { ...COMPACTED, messages: [{ role: 'user', content: 'x' }] },
  })
  // An emoji that comes in two halves.
  for (const text of ['Port 8080 \ud83d', '\udc4d', ' \x1b[31m', '\x9b32m']) on({ type: 'text', text })
  return 'Port 8080'
}

it('gives the answer to standard output as it is, ends its line, and tells the rest to standard error', async () => {
  const { code, out, log } = await ask({ answer: EVENTS })
  expect(code).toBe(0)
  expect(out).toBe('Port 8080 \u{1f44d} \x1b[31m\x9b32m\n')
  expect(log).toEqual([
    'palimpsest: openai:test-model, engine decisions, session session-1',
    'Engine decisions over lcm, named by --engine',
    'Summaries: openai:test-model (the model that answers)',
    'Prompt caching: automatic',
    '* read src/␛[31mconfig.ts',
    '* read failed: no such file',
    'compacted 110,365 → 24,654 tokens',
  ])
})

it("makes the answer safe for a person's terminal", async () => {
  expect((await ask({ answer: EVENTS, isShown: true })).out).toBe('Port 8080 \u{1f44d} ␛[31m\ufffd32m\n')
})

it.each([
  [{ reason: 'stopped', text: '' }, 'palimpsest: stopped'],
  [{ reason: 'cut-off', text: 'half' }, 'palimpsest: the answer was cut off'],
  [{ reason: 'filtered', text: 'half' }, 'palimpsest: the provider stopped the answer'],
] as const)('exits with 1 when it was not answered: %j', async (end, line) => {
  const { code, log } = await ask({ answer: async () => end })
  expect(code).toBe(1)
  expect(log.at(-1)).toContain(line)
})

it('says a failure in one line, behind what was said until then', async () => {
  const { code, out, log } = await ask({
    answer: async (_text, { on }) => {
      on({ type: 'text', text: 'Let me' })
      throw new ModelError('overloaded', 'The provider is busy')
    },
  })
  expect({ code, out, last: log.at(-1) }).toEqual({
    code: 1,
    out: 'Let me\n',
    last: 'palimpsest: The provider is busy.',
  })
})

it('prints one JSON object a line, without a character that a terminal would obey', async () => {
  const { code, out, log } = await ask({ answer: EVENTS, json: true })
  expect(code).toBe(0)
  expect(log).toEqual([])
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  const events = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.map(({ type }) => type)).toEqual([
    ...['start', 'tool-start', 'tool-end', 'compaction'],
    ...['text', 'text', 'text', 'text', 'end'],
  ])
  expect(events[0]).toMatchObject({ session: 'session-1', model: 'openai:test-model', offline: false })
  expect(events[3].result).toMatchObject({ tokensBefore: 110_365, messages: 1 })
  expect(events.at(-2).text).toBe('\x9b32m')
  expect(events.at(-1)).toMatchObject({ reason: 'answered', text: 'Port 8080', costs: { requests: 3 } })

  const failed = await ask({ json: true, answer: () => Promise.reject(new Error('no such model')) })
  expect(failed.code).toBe(1)
  expect(JSON.parse(failed.out.trimEnd().split('\n').at(-1) ?? '')).toEqual({
    type: 'error',
    session: 'session-1',
    message: 'no such model',
  })
})
