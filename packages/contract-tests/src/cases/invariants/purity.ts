import { ok } from 'node:assert/strict'
import type { CompressCall, ContextEngine, Message } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../../contract-case.ts'
import { compact, tokensOf } from '../../harness/compact.ts'
import { hostOf, messagesOf } from '../../harness/compaction-trials.ts'
import { longConversation } from '../../harness/conversations.ts'
import type { Harness } from '../../harness/create-harness.ts'
import { expectSame } from '../../harness/difference.ts'
import { eachInput } from '../../harness/each-input.ts'
import { deepFreeze } from '../../harness/generated-conversations.ts'
import { halves } from '../../harness/plain-host.ts'
import { tryCompactions } from '../../harness/try-compactions.ts'

const SCRIBBLE = 'written over by the caller'

/**
 * Compacts a mutable list, overwrites the result, and compacts again: neither the list nor the later result may change.
 * Returns whether the first call compacted.
 */
async function sharesNothing(
  engine: ContextEngine,
  messages: readonly Message[],
  force: boolean,
): Promise<boolean> {
  const [given = [], rest = []] = halves(structuredClone(messages))
  const before = structuredClone(given)
  const first = await compact(engine, given, { force })
  expectSame(given, before, 'ingest() and compress() changed the messages that they were given')

  const kept = structuredClone(first.messages)
  scribble(first.messages)
  expectSame(given, before, 'the result shares parts with the messages of the call; copy them (copyMessages)')

  await engine.ingest({ messages: rest, from: given.length })
  const projection = [...kept, ...rest]
  const second = await engine.compress({ messages: projection, currentTokens: tokensOf(projection), force })
  ok(
    !JSON.stringify(second.messages).includes(SCRIBBLE),
    'what the caller wrote over an earlier result stands in a later one: the engine keeps what it handed out',
  )
  return first.outcome === 'compacted'
}

async function takesFrozen(
  engine: ContextEngine,
  messages: readonly Message[],
  call: Partial<CompressCall>,
): Promise<boolean> {
  try {
    const { outcome } = await compact(engine, deepFreeze(messages), call)
    return outcome === 'compacted'
  } catch (error) {
    const failure = `ingest() or compress() of messages that are frozen in depth: ${String(error)}`
    throw new Error(failure, { cause: error })
  }
}

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

async function expectUnchanged(
  harness: Harness,
  read: (engine: ContextEngine, messages: readonly Message[]) => unknown,
): Promise<void> {
  const messages = structuredClone(longConversation({ turns: 25 }))
  const given = structuredClone(messages)
  const engine = harness.create()
  if (read !== READERS['ingest()']) await engine.ingest({ messages: structuredClone(messages), from: 0 })
  await read(engine, messages)
  expectSame(messages, given, 'the messages that the engine got')
}

function scribble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const isFrozen = Object.isFrozen(value)
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'object') scribble(member)
    else if (!isFrozen) Object.defineProperty(value, key, { value: SCRIBBLE })
  }
  if (Array.isArray(value) && !isFrozen) value.push({ role: 'user', content: SCRIBBLE })
}

export const purityCases: readonly ContractCase[] = [
  contractCase(
    'L06',
    'invariant 6: inputs are never changed, and results share no mutable part with them',
    async (harness) => {
      await eachInput(READERS, (read) => expectUnchanged(harness, read))
      const messages = longConversation({ turns: 80 })
      ok(await sharesNothing(harness.create(), messages, true), 'nothing was compacted')
    },
  ),
  contractCase('P06', 'invariant 6 on generated conversations, deeply frozen or not', (harness) =>
    tryCompactions(harness, async (trial) => {
      const { force, isLong } = trial
      const messages = messagesOf(trial)
      const parts = hostOf(trial)
      const call = { force, currentTokens: tokensOf(messages, parts.tokens) }
      const wasCompacted = await takesFrozen(harness.create(parts), messages, call)
      // Mutable values are read each time, which is too slow for long ones.
      if (!isLong) await sharesNothing(harness.create(hostOf(trial)), messages, force)
      return wasCompacted
    }),
  ),
]
