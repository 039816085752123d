import { writeSync } from 'node:fs'
import { createContextSession, type Message, roughTokenCounter } from '@palimpsest/core'
import { createSqliteStore } from '@palimpsest/store'
import lcm from '../../src/index.ts'

// Goes on with a session: tells what is stored and more, and compacts all the time, until it is killed. Each line says
// how many messages the store has taken.
const [, , path = '', tells = 'all'] = process.argv
const store = createSqliteStore({ path })
const stored = await store.session({ key: 'chat' }, 1)
const host = { contextLength: 2_500, maxOutputTokens: 0, tokens: roughTokenCounter, sessionId: 'chat' }
const model = {
  name: 'quick',
  complete: async () => ({ text: '## Goal\nThe user wanted words.', finishReason: 'stop' as const }),
}

if (tells === 'all') {
  let list: Message[] = await told()
  const session = createContextSession({
    engine: lcm,
    options: { leaf_chunk_tokens: 500 },
    store,
    model,
    ...host,
  })
  for (let turn = list.length; ; turn++) {
    list = [...list, ...words(turn)]
    // An edit of what was said last, now and then.
    if (turn % 5 === 4) list = [...list.slice(0, -3), { role: 'user', content: `edited ${turn}` }]
    const { warnings } = await session.prepare(list)
    if (warnings.some(({ code }) => code === 'store-unavailable')) throw new Error(JSON.stringify(warnings))
    await acknowledge()
    if (turn % 4 === 3) await session.compact()
  }
}

const clock = { now: Date.now }
const engine = lcm.create({ leaf_chunk_tokens: 500 }, { ...host, model, clock, store: () => store })
let list: readonly Message[] = await told()
for (let from = list.length; ; ) {
  const fresh = words(from)
  await engine.ingest({ messages: fresh, from })
  await acknowledge()
  list = [...list, ...fresh]
  from += fresh.length
  if (from % 3 === 0) list = (await engine.compress({ messages: list, force: true })).messages
}

async function told(): Promise<Message[]> {
  return (await stored.messages()).flatMap(({ message }) => message ?? [])
}

async function acknowledge(): Promise<void> {
  const { nextSeq } = await stored.head()
  const [last] = await stored.messages({ first: nextSeq - 1, limit: 1, includeReplaced: true })
  writeSync(1, `${nextSeq - 1} ${JSON.stringify(last?.message)}\n`)
}

function words(turn: number): Message[] {
  const text = Array.from({ length: 30 }, (_, index) => `turn${turn}word${index}`).join(' ')
  return [
    { role: 'user', content: `say ${turn}: ${text}` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${turn}`, type: 'function', function: { name: 'say', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `c${turn}`, content: text },
    { role: 'assistant', content: `said ${turn}` },
  ]
}
