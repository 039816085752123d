import { type CompletionModel, type ContextEngine, type Message, PalimpsestError } from '@palimpsest/core'
import fc from 'fast-check'
import { type ContractCase, contractCase } from '../../contract-case.ts'
import { ABORT_REASON } from '../../harness/abort-soon.ts'
import { compact, tokensOf } from '../../harness/compact.ts'
import { hostOf, messagesOf, type Trial } from '../../harness/compaction-trials.ts'
import type { Harness } from '../../harness/create-harness.ts'
import { expectNoNewFaults } from '../../harness/expect-lawful.ts'
import { judge } from '../../harness/oracle.ts'
import { halves } from '../../harness/plain-host.ts'
import { tryCompactionsWith } from '../../harness/try-compactions.ts'

/** Calls that a host may have under way at the same time. */
const OVERLAPPING_CALLS = [
  'compress',
  'aborted compress',
  'ingest and compress',
  'tool call',
  'usage',
] as const
type OverlappingCall = (typeof OVERLAPPING_CALLS)[number]

interface Overlap {
  readonly engine: ContextEngine
  /** Decides when what goes on; an abort is its business too. */
  readonly scheduler: fc.Scheduler
  /** Messages before the calls. */
  readonly start: readonly Message[]
  /** Messages that are added while they are under way. */
  readonly rest: readonly Message[]
  /** Compacts a list with an engine that has nothing else to do. */
  readonly alone: (messages: readonly Message[]) => Promise<readonly Message[]>
}

/**
 * Makes one of the calls and says how it ended. It may reject with the reason of an abort, or refuse with a code to
 * do two things at once; what it returns has no fault that the engine does not make alone.
 */
async function makeCall(overlap: Overlap, kind: OverlappingCall): Promise<string> {
  try {
    return await CALLS[kind](overlap)
  } catch (error) {
    if (error === ABORT_REASON || PalimpsestError.isInstance(error)) return 'refused'
    const found = error instanceof Error ? error.message : String(error)
    throw new Error(`${kind}, with other calls under way: ${found}`, { cause: error })
  }
}

const CALLS: Readonly<Record<OverlappingCall, (overlap: Overlap) => Promise<string>>> = {
  compress: (overlap) => compress(overlap, overlap.start),
  'aborted compress': (overlap) => {
    const controller = new AbortController()
    const abort = overlap.scheduler.schedule(Promise.resolve(), 'abort')
    void abort.then(() => controller.abort(ABORT_REASON))
    return compress(overlap, overlap.start, controller.signal)
  },
  'ingest and compress': async (overlap) => {
    const { engine, start, rest } = overlap
    await engine.ingest({ messages: rest, from: start.length })
    return compress(overlap, [...start, ...rest])
  },
  'tool call': async ({ engine }) => {
    const name = engine.toolSchemas()[0]?.function.name ?? 'no-such-tool'
    JSON.parse(await engine.handleToolCall(name, {}))
    return 'answered'
  },
  usage: async ({ engine }) => {
    engine.updateFromResponse({ promptTokens: 100, completionTokens: 10, totalTokens: 110 })
    engine.shouldCompress()
    return 'taken'
  },
}

async function compress(
  { engine, alone }: Overlap,
  messages: readonly Message[],
  signal?: AbortSignal,
): Promise<string> {
  const call = { messages, force: true, ...(signal && { signal }) }
  const { outcome, messages: projection } = await engine.compress(call)
  if (judge(projection, messages).length > 0) {
    const usual = { projection: await alone(messages), history: messages }
    expectNoNewFaults({ projection, history: messages }, usual)
  }
  return outcome
}

/** Calls that are under way at the same time, and the order in which they go on. */
const schedules = fc.record({
  scheduler: fc.scheduler(),
  kinds: fc.array(fc.constantFrom(...OVERLAPPING_CALLS), { minLength: 2, maxLength: 6 }),
})

interface Schedule {
  readonly scheduler: fc.Scheduler
  readonly kinds: readonly OverlappingCall[]
}

/** Lets the calls overlap, and compacts once more at the end. Says whether anything was compacted. */
async function staysLawful(harness: Harness, trial: Trial, { scheduler, kinds }: Schedule): Promise<boolean> {
  const parts = hostOf(trial)
  const { model } = parts
  const engine = harness.create({ ...parts, ...(model && { model: scheduled(model, scheduler) }) })
  const [start = [], rest = []] = halves(messagesOf(trial))
  const alone = async (messages: readonly Message[]) =>
    (
      await compact(harness.create(hostOf(trial)), messages, {
        currentTokens: tokensOf(messages, parts.tokens),
      })
    ).messages
  const overlap: Overlap = { engine, scheduler, start, rest, alone }

  await scheduler.waitFor(engine.ingest({ messages: start, from: 0 }))
  const pending = kinds.map(async (kind) => {
    await scheduler.schedule(Promise.resolve(), kind)
    return makeCall(overlap, kind)
  })
  const outcomes = await scheduler.waitFor(Promise.all(pending))
  const last = await scheduler.waitFor(makeCall(overlap, 'ingest and compress'))
  return [...outcomes, last].includes('compacted')
}

/** A model whose answers come in the scheduler's order. */
function scheduled(model: CompletionModel, scheduler: fc.Scheduler): CompletionModel {
  return {
    ...model,
    async complete(call) {
      await scheduler.schedule(Promise.resolve(), 'model')
      return model.complete(call)
    },
  }
}

/** Calls that overlap. */
export const interleavingCases: readonly ContractCase[] = [
  contractCase('P13', 'calls that overlap in any order all settle, and do not interfere', (harness) =>
    tryCompactionsWith(harness, schedules, (trial, schedule) => staysLawful(harness, trial, schedule)),
  ),
]
