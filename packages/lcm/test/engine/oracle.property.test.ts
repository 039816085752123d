import { brokenConversation, createScriptedModel, STALL } from '@palimpsest/contract-tests'
import { type ContextSession, checkProjection, type Message, ModelError } from '@palimpsest/core'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { uncovered } from './coverage.ts'
import { createChat, createEngine, expand, memoryStore, SUMMARY, user, words } from './harness.ts'
import { type Step, stepOf, turn, withOwnIds } from './host-steps.ts'

const count = { sessions: 0, steps: 0, messages: 0, compactions: 0 }
afterAll(() => console.log(`oracle: ${JSON.stringify(count)}`))

/** `isBroken`: what the host says has pairs that do not go together, so that it holds something else than it is shown. */
async function play(steps: readonly Step[], window: number, isBroken = false): Promise<void> {
  const store = memoryStore()
  let behaviour = 'good'
  const model = createScriptedModel([
    () => {
      if (behaviour === 'fails') return new ModelError('invalid-request', 'no')
      if (behaviour === 'keeps failing') return new ModelError('overloaded', 'no')
      if (behaviour === 'nonsense') return 'I cannot help with that.'
      if (behaviour === 'too long') return `## Goal\n${words(6_000)}`
      return behaviour === 'stalls' ? STALL : SUMMARY
    },
  ])
  const setup = { store, window, leaf_chunk_tokens: 500, large_result_tokens: 400 }
  const start = (): ContextSession => {
    const chat = createChat({ ...setup, model: behaviour === 'none' ? undefined : model })
    chat.subscribe((event) => {
      if (event.type === 'violations') violations.push(...event.violations)
      if (event.type === 'compaction' && event.committed) count.compactions++
    })
    return chat
  }
  const violations: unknown[] = []
  let chat = start()
  /** What the host holds, what was ever said, and how many of it were said and not taken back. */
  let list: Message[] = []
  let raw: Message[] = []
  let said: string[] = []
  let projection: readonly Message[] = []
  const prepare = async () => {
    const prepared = await chat.prepare(list)
    projection = prepared.messages
  }

  for (const [number, next] of steps.entries()) {
    count.steps++
    if (next.type === 'say') {
      const messages = withOwnIds(next.messages, number)
      list = [...list, ...messages]
      raw = [...raw, ...messages]
      said = [...said, ...messages.map((message) => JSON.stringify(message))]
    } else if (next.type === 'compact') {
      behaviour = next.model
      const controller = new AbortController()
      const compacting = chat.compact({ signal: controller.signal })
      if (behaviour === 'stalls') setTimeout(() => controller.abort(new Error('stopped')), 1)
      const done = await compacting.catch(() => undefined)
      if (done !== undefined) projection = done.messages
      if (behaviour === 'stalls') behaviour = 'good'
    } else if (next.type === 'edit') {
      if (isBroken) continue
      // Only what stands at the end of what the host holds, too, can be taken back by it.
      const own = list.toReversed().findIndex((message, at) => message !== raw.at(-1 - at))
      const most = Math.min(own === -1 ? list.length : own, raw.length)
      let back = Math.min(next.back, most)
      // With a result goes its call: half a transaction would be mended, and the host would hold that.
      while (raw.at(-back)?.role === 'tool') back++
      if (back === 0 || back > most) continue
      const instead = user(`edited ${number}`)
      list = [...list.slice(0, -back), instead]
      raw = [...raw.slice(0, -back), instead]
      said = [...said, JSON.stringify(instead)]
    } else if (next.type === 'restart') {
      await chat.end()
      if (next.tells === 'what is new') {
        const fresh = user(`behind the restart ${number}`)
        const engine = createEngine(setup)
        await engine.ingest({ messages: [fresh], from: raw.length })
        await engine.dispose()
        raw = [...raw, fresh]
        said = [...said, JSON.stringify(fresh)]
      }
      if (next.tells === 'projection' && !isBroken) {
        // What the host was shown last, with the messages behind it that it holds as they are.
        list = [...projection]
        const kept = list
          .toReversed()
          .findIndex((message, at) => JSON.stringify(message) !== JSON.stringify(raw.at(-1 - at)))
        const tail = kept === -1 ? list.length : kept
        list = [...list.slice(0, list.length - tail), ...raw.slice(raw.length - tail)]
      } else list = raw
      chat = start()
    } else {
      await chat.reset()
      list = []
      raw = []
      projection = []
    }
    if (list.length > 0) await prepare()
    await check()
  }
  count.sessions++
  count.messages += said.length
  await chat.end()

  async function check(): Promise<void> {
    const session = await store.find({ key: 'chat' })
    if (session === null) return
    const all = await session.messages({ includeReplaced: true })
    expectSame(
      all.map(({ message }) => JSON.stringify(message)),
      said,
    )
    const live = all.filter(({ replaced }) => !replaced)
    expectSame(
      live.map(({ message }) => JSON.stringify(message)),
      raw.map((message) => JSON.stringify(message)),
    )
    for (const [seq, json] of said.entries()) expect(await expand(chat.engine, seq)).toBe(json)
    expect(await store.verify()).toEqual([])
    if (list.length === 0) return
    expect(violations).toEqual([])
    // What the session itself has mended is compared with nothing.
    if (isBroken) return
    expect(checkProjection(projection, chat.transcript, { inFlight: true })).toEqual([])
    expect(await uncovered(session, projection)).toBeUndefined()
  }
}

/** As `toEqual`, with a message that is not longer than a page. */
function expectSame(found: readonly string[], expected: readonly string[]): void {
  const at = found.findIndex((json, index) => json !== expected[index])
  const where = at === -1 ? Math.min(found.length, expected.length) : at
  const part = (list: readonly string[]) => list.slice(where, where + 4).map((json) => json.slice(0, 200))
  expect({ count: found.length, where, messages: part(found) }).toEqual({
    count: expected.length,
    where,
    messages: part(expected),
  })
}

describe('generated sessions', () => {
  it('keep every message byte for byte and once, and account for it in every projection', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepOf(turn), { minLength: 4, maxLength: 16 }),
        fc.constantFrom(900, 2_500),
        (steps, window) => play(steps, window),
      ),
      { numRuns: 40 },
    )
  })

  it('of a host whose calls and results do not go together keep every message as it came', async () => {
    const messages = brokenConversation({ maxTurns: 3 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepOf(messages), { minLength: 4, maxLength: 12 }),
        fc.constantFrom(900, 2_500),
        (steps, window) => play(steps, window, true),
      ),
      { numRuns: 20 },
    )
  })
})
