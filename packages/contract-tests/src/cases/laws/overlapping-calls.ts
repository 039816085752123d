import { type ContextEngine, type Message, PalimpsestError } from '@palimpsest/core'
import type fc from 'fast-check'
import { ABORT_REASON } from '../../harness/abort-soon.ts'
import { expectNoNewFaults } from '../../harness/new-faults.ts'
import { judge } from '../../harness/oracle.ts'

/** What a host may have under way at the same time. */
export const OVERLAPPING_CALLS = [
  'compress',
  'aborted compress',
  'ingest and compress',
  'tool call',
  'usage',
] as const
export type OverlappingCall = (typeof OVERLAPPING_CALLS)[number]

export interface Overlap {
  readonly engine: ContextEngine
  /** Decides when what goes on; an abort is its business too. */
  readonly scheduler: fc.Scheduler
  /** What was said before the calls. */
  readonly start: readonly Message[]
  /** What more is said while they are under way. */
  readonly rest: readonly Message[]
  /** What an engine that has nothing else to do makes of a list. */
  readonly alone: (messages: readonly Message[]) => Promise<readonly Message[]>
}

/**
 * Makes one of the calls and says how it ended. It may reject with the reason of an abort, or refuse with a code to
 * do two things at once; what it returns has no fault that the engine does not make alone.
 */
export async function makeCall(overlap: Overlap, kind: OverlappingCall): Promise<string> {
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
