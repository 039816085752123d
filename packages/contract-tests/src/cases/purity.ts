import { equal, notEqual, ok } from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { type ContextEngine, type Message, renderSummary } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { compressIngested, mustCompact } from '../harness/compact.ts'
import { continuation, longConversation } from '../harness/conversations.ts'
import { expectSame } from '../harness/difference.ts'
import { eachInput } from '../harness/each-input.ts'
import { plainText } from '../harness/oracle.ts'
import { createPlainHost } from '../harness/plain-host.ts'

/** Promises about messages that a compaction leaves alone, and about the next compaction. */
export const purityCases: readonly ContractCase[] = [
  contractCase('C32', 'changes no message of its input', async (harness) => {
    const frozen = { 'frozen messages': longConversation() }
    await eachInput(frozen, async (messages) => void (await mustCompact(harness.create(), messages)))
    await eachInput(READERS, async (read) => {
      const given = () => structuredClone(longConversation({ turns: 25 }))
      const engine = harness.create()
      if (read !== READERS['ingest()']) await engine.ingest({ messages: given(), from: 0 })
      const messages = given()
      await read(engine, [...messages])
      expectSame(messages, given(), 'the messages that the engine got')
    })
  }),
  contractCase('C33', 'shares no mutable part with the caller', async (harness) => {
    const history = structuredClone(longConversation())
    const { messages } = await mustCompact(harness.create(), history)
    const given = new Set(history.flatMap(changeableParts))
    for (const [index, message] of messages.entries()) {
      const isOwn = changeableParts(message).every((part) => !given.has(part))
      ok(isOwn, `message ${index} of the result shares an object with a message of the call; copy it`)
    }
  }),
  contractCase('C34', 'changes nothing the second time when nothing was said in between', async (harness) => {
    const host = createPlainHost(harness.create())
    await host.say(longConversation())
    const first = await host.mustCompact()
    for (const again of ['second', 'third']) {
      const { messages } = await host.compact({ force: true })
      expectSame(messages, first.messages, `the projection after the ${again} compaction`)
    }
  }),
  contractCase('C35', 'gives the same result for the same messages, at any time', async (harness) => {
    const first = await mustCompact(harness.create(), longConversation())
    // The clock of the host stands still, the one of the machine does not.
    await setTimeout(5)
    const second = await mustCompact(harness.create(), structuredClone(longConversation()))
    expectSame(second.messages, first.messages, 'what another new engine makes of the same messages')
  }),
  contractCase('C36', 'counts each compaction once, and nothing else', async (harness) => {
    const engine = harness.create()
    const host = createPlainHost(engine)
    for (let round = 1; round <= 3; round++) {
      await host.say(round === 1 ? longConversation() : continuation(round * 100))
      await host.mustCompact()
      equal(engine.compressionCount, round, `compressionCount after ${round} compactions`)
    }
    const { outcome } = await host.compact({ force: true })
    const expected = outcome === 'compacted' ? 4 : 3
    equal(engine.compressionCount, expected, `compressionCount after an outcome that was ${outcome}`)
  }),
  contractCase('C37', 'puts no summary inside a summary', async (harness) => {
    const host = createPlainHost(harness.create())
    for (let round = 1; round <= 3; round++) {
      await host.say(round === 1 ? longConversation() : continuation(round * 100))
      await host.mustCompact()
      for (const [index, message] of host.projection.entries()) {
        const text = plainText(message)
        const what = `message ${index} has a summary in a summary after compaction ${round}`
        ok(!isNested(text), `${what}: ${text.slice(0, 1_000)}`)
      }
    }
  }),
  contractCase(
    'C72',
    'returns a list of its own, and does not change the length of its input',
    async (harness) => {
      const history = longConversation()
      const engine = harness.create()
      await engine.ingest({ messages: history, from: 0 })
      const given = [...history]
      const { outcome, messages } = await compressIngested(engine, given)
      equal(outcome, 'compacted', 'the outcome for a long conversation with force')
      notEqual(messages, given, 'the list of the call came back as the compaction; return a new one')
      const isSame = given.length === history.length && given.every((message, at) => message === history[at])
      ok(isSame, `the list of the call had ${history.length} messages and has ${given.length}, or others`)
    },
  ),
]

/** Every member of an engine that gets messages. */
const READERS: Readonly<Record<string, (engine: ContextEngine, messages: readonly Message[]) => unknown>> = {
  'ingest()': (engine, messages) => engine.ingest({ messages, from: 0 }),
  'compress()': (engine, messages) => engine.compress({ messages, force: true }),
  'shouldCompressPreflight()': (engine, messages) => engine.shouldCompressPreflight(messages),
  'hasContentToCompress()': (engine, messages) => engine.hasContentToCompress(messages),
  'pruneToolResults()': (engine, messages) => engine.pruneToolResults(messages),
  'selectContext()': (engine, messages) => engine.selectContext({ messages, budgetTokens: 4_000 }),
  'onTurnComplete()': (engine, messages) =>
    engine.onTurnComplete({ messages, usage: null, interrupted: false }),
  'onSessionEnd()': (engine, messages) => engine.onSessionEnd(messages),
}

/** Every object inside a value that is not frozen, the value included. */
function changeableParts(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(changeableParts)
  return Object.isFrozen(value) ? inner : [value, ...inner]
}

/** The first two lines and the last of every summary's frame. */
const [OPENING = '', EXPLANATION = ''] = renderSummary('').split('\n')
const CLOSING = renderSummary('').split('\n').at(-1) ?? ''

/** True when a frame of a summary, or what explains one, stands inside another. */
function isNested(text: string): boolean {
  return text
    .split(OPENING)
    .slice(1)
    .map((frame) => frame.split(CLOSING))
    .some(([inner = '', ...rest]) => rest.length !== 1 || inner.split(EXPLANATION).length > 2)
}
