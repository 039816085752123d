import {
  type CompressResult,
  countMessages,
  createPause,
  type EngineHost,
  type EngineParts,
  type Message,
  messageRoom,
  placeSummary,
  readMessages,
} from '@palimpsest/core'
import {
  type Compaction,
  type CompactionPlan,
  createCompaction,
  recordsBudget,
  type Section,
  type WriteCall,
  writeSummary,
} from '@palimpsest/summaries'
import { type SplitMessages, splitMessages } from './split-messages.ts'

/** The numbers of the engine's own compaction. `seed` marks numbers of the system as first described. */
const COMPACTION_DEFAULTS = Object.freeze({
  seedThresholdTokens: 35_000,
  /** Prompt size above which the profile `seed` compacts when the topic changes, in tokens (seed). */
  seedShiftTokens: 25_000,
  seedSummaryTokens: 1_200,
  tailShare: 0.3,
  seedWindowShare: 0.85,
})

export interface WindowCompactionInput {
  readonly host: EngineHost
  readonly threshold: number
  /** A compaction in a small window is due at this many tokens, or at 75 % if that is less; 0 uses the share only. */
  readonly floorTokens: number
  /** True for the system as first described: 35,000 tokens, or 25,000 after a change of topic. */
  readonly seed: boolean
  hasTopicShift(): boolean
}

/** Share of the room that the user's words leave free without a model, so that not every turn compacts. */
const FREE_SHARE = 0.2

interface WindowPlan extends CompactionPlan {
  readonly split: SplitMessages
  readonly recordsTokens: number
  readonly wholeTokens: number
}

/**
 * The compaction of the system as first described: everything except the system prompt and recent messages becomes one
 * summary of 800 to 1,200 tokens, which is updated each time.
 */
export function createWindowCompaction(input: WindowCompactionInput): EngineParts {
  const { host, seed } = input
  const { tokens, model } = host

  const threshold = (): number =>
    seed
      ? Math.min(
          COMPACTION_DEFAULTS.seedThresholdTokens,
          compaction.share(COMPACTION_DEFAULTS.seedWindowShare),
        )
      : compaction.share(input.threshold, input.floorTokens)
  const shiftThreshold = (): number => {
    const { seedShiftTokens, seedThresholdTokens } = COMPACTION_DEFAULTS
    return seed && input.hasTopicShift() ? threshold() * (seedShiftTokens / seedThresholdTokens) : Infinity
  }
  const splitFor = (messages: readonly Message[], room: number): SplitMessages =>
    splitMessages(messages, Math.floor(room * COMPACTION_DEFAULTS.tailShare), tokens)

  const compaction: Compaction = createCompaction<WindowPlan>({
    host,
    threshold,
    trigger: () => (seed || input.threshold > 0 ? Math.min(threshold(), shiftThreshold()) : Infinity),
    async plan(call) {
      const { readable } = call
      const pause = createPause()
      const room = messageRoom({ ...call, tokens, thresholdTokens: threshold() })
      const split = splitFor(readable, room)
      await pause()
      const leavingTokens = countMessages(tokens, split.middle)
      await pause()
      const staying = countMessages(tokens, assemble(split, ''))
      const recordsTokens = seed ? COMPACTION_DEFAULTS.seedSummaryTokens : recordsBudget(room)
      const left = Math.floor(room - staying - (model === undefined ? room * FREE_SHARE : 0))
      const wholeTokens = Math.max(recordsTokens, left)
      return {
        split,
        recordsTokens,
        wholeTokens,
        leavingTokens,
        targetTokens: room,
        resultTokens: staying + recordsTokens,
        staying: () => describeStaying(split),
      }
    },
    write: (plan, call) => writePlanned(input, plan, call),
  })

  return {
    capabilities: ['summarizer'],
    get thresholdTokens() {
      return compaction.thresholdTokens
    },
    get contextLength() {
      return compaction.contextLength
    },
    shouldCompress: compaction.shouldCompress,
    compress: compaction.compress,
    hasContentToCompress(messages) {
      const room = messageRoom({ messages, tokens, thresholdTokens: threshold() })
      return splitFor(readMessages(messages), room).middle.length > 0
    },
    updateModel: compaction.updateModel,
    async onSessionReset() {
      compaction.reset()
    },
  }
}

async function writePlanned(
  { host, seed }: WindowCompactionInput,
  { split, recordsTokens, wholeTokens }: WindowPlan,
  call: WriteCall,
): Promise<CompressResult> {
  const { middle, tail, previousSummary } = split
  const written = await writeSummary({
    call,
    messages: middle,
    previousSummary,
    recordsTokens,
    wholeTokens,
    ...(seed && { sections: SEED_SECTIONS }),
    tokens: host.tokens,
  })
  return call.summarised(written, (text) => ({
    after: assemble(split, text),
    summary: `summarised ${middle.length}, kept ${tail.length} last`,
  }))
}

const SEED_SECTIONS: readonly Section[] = [
  {
    heading: 'Topics & Code Areas',
    hint: 'what was worked on, and where in the code: paths, modules, symbols',
  },
  {
    heading: 'Conclusions',
    hint: 'what was found out and agreed, with exact names, signatures, return types and values',
  },
  { heading: 'Corrected Understanding', hint: 'what was believed first, and what turned out to be right' },
  { heading: 'Open Questions', hint: 'what was asked and not answered yet' },
  {
    heading: 'Progress',
    hint: 'what was done with which outcome, failures too, and what was in hand at the end',
  },
]

function assemble({ system, request, tail }: SplitMessages, summary: string): Message[] {
  return placeSummary({ head: system === undefined ? [] : [system], summary, request, tail })
}

function describeStaying({ request, tail }: SplitMessages): string {
  return `the last ${tail.length} messages${request === undefined ? '' : ' and the request before them'}`
}
