import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import {
  assistant,
  createEngine,
  memoryStore,
  SUMMARY,
  scripted,
  tokens,
  turns,
  user,
  words,
  wrapStore,
} from './harness.ts'

/** Calls of the store and of the model, and messages that were asked for, since the last look. */
function counted() {
  let calls: Record<string, number> = {}
  let read = 0
  const model = scripted(SUMMARY)
  const store = wrapStore(memoryStore(), async (method, run) => {
    calls[method] = (calls[method] ?? 0) + 1
    const answer = await run()
    if (Array.isArray(answer)) read += answer.length
    return answer
  })
  const look = () => {
    const seen = { calls, read }
    calls = {}
    read = 0
    return seen
  }
  return { store, model, look }
}

/** What a turn and a compaction cost when the session has so many messages. */
async function costAt(messages: number) {
  const { store, model, look } = counted()
  const setup = { store, model, window: 20_000, leaf_chunk_tokens: 4_000 }
  const engine = createEngine(setup)
  let list: readonly Message[] = []
  let from = 0
  const say = async (fresh: readonly Message[]) => {
    await engine.ingest({ messages: fresh, from })
    from += fresh.length
    list = [...list, ...fresh]
  }
  while (from < messages) {
    await say(turns(50, 60, `h${from}_`))
    list = (await engine.compress({ messages: list, force: true })).messages
  }
  look()
  await say([user('and now?'), assistant(words(20))])
  const ingest = look()
  await say(turns(50, 60, 'last'))
  look()
  const asked = model.calls.length
  const { outcome } = await engine.compress({ messages: list, force: true })
  const compress = { ...look(), model: model.calls.length - asked }
  expect(outcome).toBe('compacted')
  return { ingest, compress }
}

describe('what the store is asked', () => {
  it('for a turn and for a compaction does not grow with the history', async () => {
    const [small, large] = [await costAt(1_000), await costAt(6_000)]
    console.log(`cost at 1,000 and 6,000 messages: ${JSON.stringify([small, large])}`)
    expect(large.ingest).toEqual(small.ingest)
    expect(large.ingest).toEqual({ calls: { append: 1 }, read: 0 })
    expect(large.compress.calls).toEqual(small.compress.calls)
    expect(large.compress.read).toBe(0)
    expect(large.compress.model).toBeLessThanOrEqual(small.compress.model + 4)
  })
})

it('counts what a model reads and writes for summaries, without the parts that code writes', async () => {
  const model = scripted(SUMMARY)
  const engine = createEngine({ model, window: 10_000, leaf_chunk_tokens: 1_000 })
  const messages = turns(40)
  await engine.ingest({ messages, from: 0 })
  await engine.compress({ messages, force: true })
  const written = engine.status().details?.summaries_written as Record<string, number>
  const prompts = model.calls.reduce((sum, { prompt }) => sum + tokens.countText(prompt), 0)
  expect(written.count).toBe(model.calls.length)
  expect(written.tokens).toBe(model.calls.length * tokens.countText(SUMMARY))
  expect(written.read).toBeGreaterThan(prompts * 0.3)
  expect(written.read).toBeLessThan(prompts)
})
