import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createMemoryDecisionStore } from '../../src/index.ts'
import { talkWith } from './harness.ts'

/** More than eight million characters, in more messages than are written to the store at once. */
const output: readonly Message[] = Array.from({ length: 450 }, (_, index) => ({
  role: 'tool',
  tool_call_id: `c${index}`,
  content: 'word '.repeat(4_000),
}))

const talk = (queue: string, database: string, cache: string): readonly Message[] => [
  { role: 'assistant', content: `I suggest ${queue} for the queue.` },
  { role: 'user', content: `We use ${database} for the database.` },
  { role: 'assistant', content: `I suggest ${cache} for the cache.` },
  { role: 'user', content: 'Yes, do that.' },
]

async function eventsOf(history: readonly Message[]): Promise<readonly string[]> {
  const store = createMemoryDecisionStore()
  const { session } = talkWith({ store, project: 'long' })
  await session.prepare(history)
  await session.end()
  const events = await store.events({ scopes: ['project:long'] })
  return events.flatMap(({ event }) =>
    event.type === 'withdrawn' ? [] : `${event.type} ${event.source.message} "${event.source.quote}"`,
  )
}

describe('a history of many windows that comes at once', () => {
  it('is read for what the user says and accepts, and at its end for what the assistant proposes', async () => {
    const short = await eventsOf(talk('Kafka', 'Postgres', 'Redis'))
    expect(short).toEqual([
      'proposed 0 "I suggest Kafka for the queue."',
      'asserted 1 "We use Postgres for the database."',
      'proposed 2 "I suggest Redis for the cache."',
      'accepted 3 "Yes, do that."',
    ])
    const later = [
      { role: 'user', content: 'Now the rest.' },
      { role: 'assistant', content: 'I suggest Terraform for the infrastructure.' },
    ] as const
    const long = await eventsOf([...talk('Kafka', 'Postgres', 'Redis'), ...output, ...later])
    expect(long).toEqual([...short.slice(1), 'proposed 455 "I suggest Terraform for the infrastructure."'])
  })

  it('goes on after a restart from what was said and called last', async () => {
    const store = createMemoryDecisionStore()
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'read', arguments: '{"path":"src/db.ts"}' },
    } as const
    const history: readonly Message[] = [
      ...Array.from({ length: 250 }, (_, turn): Message => ({ role: 'user', content: `Question ${turn}` })),
      { role: 'assistant', content: 'I suggest Redis for the cache.', tool_calls: [call] },
    ]
    const before = talkWith({ store, project: 'long' })
    await before.session.prepare(history)
    await before.session.end()
    const after = talkWith({ store, project: 'long' })
    await after.session.prepare([
      ...history,
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
      { role: 'user', content: 'Yes, do that.' },
    ])
    await after.session.end()
    const events = await store.events({ scopes: ['project:long'] })
    expect(events.map(({ event }) => event.type)).toEqual(['proposed', 'accepted'])
    const session = await store.find({ key: 'talk' })
    expect(await session?.artifacts()).toMatchObject([{ message: 250, turn: 250, path: 'src/db.ts' }])
  })
})
