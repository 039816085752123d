import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CompressCall,
  type ContextSession,
  checkProjection,
  isInstruction,
  keptResult,
  type Message,
  type Prepared,
  repairMessages,
  roughTokenCounter as tokens,
} from '../../src/index.ts'
import { brokenConversation, conversation, deepFreeze } from '../arbitraries.ts'
import { counted } from '../counted.ts'
import { compress, MISBEHAVING, open } from './doubles.ts'

/** Beginnings of a conversation at which a host would ask for an answer: a growing list. */
function growing(messages: readonly Message[]): (readonly Message[])[] {
  const ends = messages.flatMap((_, index) => {
    const next = messages[index + 1]
    return next === undefined || next.role === 'assistant' ? [index + 1] : []
  })
  return ends.map((end) => messages.slice(0, end))
}

/** What must hold for every prepared request of every session. */
function expectValid(prepared: Prepared, session: ContextSession, host: readonly Message[]): void {
  const before = repairMessages(session.transcript).messages
  expect(checkProjection(prepared.messages, session.transcript, { before })).toEqual([])
  expect(JSON.stringify(session.transcript)).toBe(JSON.stringify(host))
  for (const message of prepared.messages) expect(Object.isFrozen(message)).toBe(false)
}

describe('whatever an engine does, the invariants hold and the transcript stays', () => {
  it.each(Object.keys(MISBEHAVING))('an engine that %s', async (name) => {
    await counted(
      `invariants 1 to 6, an engine that ${name}`,
      fc.asyncProperty(conversation({ maxTurns: 4 }), async (messages) => {
        const host = deepFreeze(messages)
        const { session, events } = open({ shouldCompress: () => true, ...MISBEHAVING[name] })
        let warnings = 0
        for (const list of growing(host)) {
          const prepared = await session.prepare(list)
          warnings += prepared.warnings.length
          expectValid(prepared, session, list)
          await session.observe({ usage: { promptTokens: prepared.tokens } })
        }
        const refused = events.some(
          (event) => event.type === 'compaction' && event.result.outcome === 'aborted',
        )
        if (refused) expect(warnings).toBeGreaterThan(0)
        await session.end()
      }),
      40,
    )
  })

  it('says by a warning what was refused', async () => {
    const calls = [{ id: 'a', type: 'function' as const, function: { name: 'f', arguments: '{}' } }]
    const host: Message[] = [
      { role: 'system', content: 'Be exact.' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: 'a', content: 'a long result '.repeat(100) },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'three' },
    ]
    for (const [name, parts] of Object.entries(MISBEHAVING)) {
      if (name === 'returns no promise') continue
      const { session } = open({ shouldCompress: () => !/^(?:selects|prunes)/.test(name), ...parts })
      const { warnings } = await session.prepare(host)
      expect(warnings, name).not.toEqual([])
      expect(
        warnings.every(({ message }) => message.includes('double')),
        name,
      ).toBe(true)
    }
  })
})

describe('whatever a host sends, the request is valid', () => {
  it('with a well-behaved engine', async () => {
    await counted(
      'invariants 1 to 6, invalid conversations',
      fc.asyncProperty(brokenConversation({ maxTurns: 4 }), fc.boolean(), async (messages, compacts) => {
        const { session } = open({ shouldCompress: () => compacts })
        const host = deepFreeze(messages)
        for (let end = 1; end <= host.length; end += 3)
          expectValid(await session.prepare(host.slice(0, end)), session, host.slice(0, end))
      }),
      300,
    )
  })

  it('when the window is too small for what an engine leaves', async () => {
    const keep = async ({ messages }: CompressCall) =>
      keptResult('unchanged', 'nothing-to-compact', messages, tokens)
    let cuts = 0
    await counted(
      'invariants 1 to 6, small windows',
      fc.asyncProperty(
        conversation({ maxTurns: 5 }),
        fc.integer({ min: 40, max: 600 }),
        async (messages, window) => {
          const { session } = open({ compress: keep }, { contextLength: window })
          for (const list of growing(messages)) {
            const prepared = await session.prepare(list)
            expectValid(prepared, session, list)
            if (prepared.warnings.some(({ code }) => code === 'cut-to-window')) cuts++
          }
        },
      ),
      150,
    )
    expect(cuts).toBeGreaterThan(30)
  })

  it('when it edits, goes back, branches and goes on', async () => {
    const step = fc.record({
      keep: fc.nat(100),
      add: fc.array(conversation({ maxTurns: 1 }), { minLength: 1, maxLength: 2 }),
    })
    await counted(
      'invariants 1 to 6, edited histories',
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (steps, compacts) => {
          const { session } = open({ shouldCompress: () => compacts })
          let host: Message[] = []
          for (const { keep, add } of steps) {
            const kept = repairMessages(host.slice(0, keep % (host.length + 1))).messages
            const added = add.flat().filter((message) => kept.length === 0 || !isInstruction(message))
            host = repairMessages([...kept, ...added]).messages
            expectValid(await session.prepare(host), session, host)
          }
        },
      ),
      300,
    )
  })

  it('when it goes on from a request that it was given, for as long as it likes', async () => {
    const choices = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 })
    await counted(
      'invariants 1 to 6, adopted projections',
      fc.asyncProperty(
        conversation({ maxTurns: 6 }),
        choices,
        choices,
        async (messages, compacts, adopts) => {
          let turn = 0
          const { session } = open({ shouldCompress: () => compacts[turn++ % 12] ?? true })
          let host: Message[] = []
          let sent = 0
          for (const list of growing(messages)) {
            host = [...host, ...list.slice(sent)]
            sent = list.length
            const prepared = await session.prepare(host)
            expectValid(prepared, session, list)
            if (adopts[list.length % 12]) host = prepared.messages
          }
        },
      ),
      300,
    )
  })
})

describe('inputs and outputs', () => {
  it('never mutates what the host hands in, and shares nothing with it', async () => {
    await counted(
      'invariant 6, the host owns its list',
      fc.asyncProperty(conversation({ maxTurns: 3 }), async (messages) => {
        const before = structuredClone(messages)
        const { session } = open({ shouldCompress: () => true })
        const first = await session.prepare(messages)
        expect(messages).toEqual(before)
        const expected = structuredClone(first.messages)
        for (const message of [...messages, ...first.messages]) {
          ;(message as { content: unknown }).content = 'changed by the host'
          delete (message as { role?: unknown }).role
        }
        first.messages.length = 0
        const { messages: second } = await session.prepare(before)
        expect(second).toEqual(expected)
      }),
      200,
    )
  })

  it('gives the same requests for the same conversation', async () => {
    await counted(
      'invariant 11, same input, same output',
      fc.asyncProperty(conversation({ maxTurns: 4 }), async (messages) => {
        const runs = await Promise.all(
          [1, 2].map(async () => {
            const { session } = open({ shouldCompress: () => true, compress }, { sessionId: 's' })
            const requests: unknown[] = []
            for (const list of growing(messages)) requests.push(await session.prepare(list))
            return requests
          }),
        )
        expect(runs[0]).toEqual(runs[1])
      }),
      100,
    )
  })
})
