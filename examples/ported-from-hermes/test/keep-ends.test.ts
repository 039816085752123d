import { deepEqual, equal, match, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { createContextSession, isSummary, type Message, readSummary } from '@palimpsest/core'
import keepEnds, { type KeepEndsOptions } from '../src/index.ts'

const text = (role: 'user' | 'assistant', content: string): Message => ({ role, content })
const talk = (turns: number): Message[] => [
  { role: 'system', content: 'You help.' },
  ...Array.from({ length: turns }, (_, n) => [
    text('user', `Question ${n}. ${'Why? '.repeat(50)}`),
    text('assistant', `Answer ${n}. ${'So. '.repeat(50)}`),
  ]).flat(),
]

async function compact(messages: Message[], options: KeepEndsOptions = {}): Promise<Message[]> {
  const session = createContextSession({ engine: keepEnds, options, contextLength: 100_000 })
  await session.prepare(messages)
  await session.compact()
  return (await session.prepare(messages)).messages
}

test('keeps the system prompt, the first and the last messages, and a line for each turn between', async () => {
  const messages = talk(10)
  const kept = await compact(messages)
  deepEqual(kept.slice(0, 4), messages.slice(0, 4))
  deepEqual(kept.slice(-6), messages.slice(-6))
  const summary = kept.map(readSummary).find((told) => told !== undefined) ?? ''
  const lines = summary.split('\n')
  match(lines[0] ?? '', /^- The turn before went on \(1 messages followed\)$/)
  match(lines[1] ?? '', /^- The user said: Question 2\. Why\?.*\(1 messages followed\)$/)
  equal(lines.length, 6)
})

test('goes on with its earlier lines, and keeps the head that it had', async () => {
  const messages = talk(10)
  const first = await compact(messages)
  const second = await compact([...first, ...talk(6).slice(1)])
  deepEqual(second.slice(0, 4), messages.slice(0, 4))
  equal(second.filter(isSummary).length, 1)
  match(second.map(readSummary).find((told) => told !== undefined) ?? '', /Question 2[\s\S]*Question 9/)
})

test('cuts no call from its results, and keeps what the user asked last', async () => {
  const call = (id: string): Message[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: id, content: 'text '.repeat(100) },
  ]
  const ask = text('user', 'Read it all.')
  const calls = Array.from({ length: 20 }, (_, n) => call(`c${n}`)).flat()
  const kept = await compact([...talk(3), ask, ...calls], { protect_last_n: 3 })
  deepEqual(kept.slice(-5), [ask, ...calls.slice(-4)])
})

test('refuses what is no option', () => {
  throws(
    () => createContextSession({ engine: keepEnds, options: { protect_last_n: -1 }, contextLength: 8_000 }),
    {
      path: 'protect_last_n',
    },
  )
})
