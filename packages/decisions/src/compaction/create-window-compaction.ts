import {
  type CompressResult,
  countMessages,
  createPause,
  type EngineHost,
  type EngineParts,
  isInstruction,
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
  type WrittenSummary,
  writeSummary,
} from '@palimpsest/summaries'
import { COMPACTION_DEFAULTS } from './compaction-defaults.ts'
import { type SplitMessages, splitMessages } from './split-messages.ts'

/** The summary of an earlier life of the session, for a transcript that is told from its beginning again. */
export interface KnownSummary {
  /** Number of messages that it stands for, system prompt included. */
  readonly messages: number
  readonly text: string
}

export interface WindowCompactionInput {
  readonly host: EngineHost
  /** Share of the usable window at which a compaction is due; 0 for never. Without meaning for the described system. */
  readonly threshold: number
  /** In small windows it is due at this many tokens, or at 75 % where that is less; 0 for the share alone. */
  readonly floorTokens: number
  /** The described system: 35,000 tokens, or 25,000 when the topic has shifted. */
  readonly seed: boolean
  /** Whether the user's last message begins another topic. */
  hasTopicShift(): boolean
  /** A summary that stands for the beginning of this whole transcript, if there is one. */
  known(messages: readonly Message[]): KnownSummary | undefined
  /** A summary was written for all of the transcript but its last messages. */
  keep(summary: { readonly text: string; readonly tail: readonly Message[] }): void
}

const { summaryTokens } = COMPACTION_DEFAULTS
/** Without a model, the user's words leave this share of the room, so that not every turn compacts. */
const FREE_SHARE = 0.2

interface WindowPlan extends CompactionPlan {
  readonly split: SplitMessages
  readonly known: KnownSummary | undefined
  /** Length of a model's record, and of the whole summary, in tokens. */
  readonly recordsTokens: number
  readonly wholeTokens: number
}

/**
 * The compaction of the described system: everything but the system prompt and recent messages becomes one summary of
 * 800 to 1,200 tokens, which is brought up to date each time. What was decided does not depend on it.
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
  /** Below this size a shift of the topic is no reason. */
  const shiftThreshold = (): number => {
    const { seedShiftTokens, seedThresholdTokens } = COMPACTION_DEFAULTS
    return seed && input.hasTopicShift() ? threshold() * (seedShiftTokens / seedThresholdTokens) : Infinity
  }
  const splitFor = (messages: readonly Message[], room: number, known?: KnownSummary): SplitMessages =>
    splitMessages(messages, {
      tailTokens: Math.floor(room * COMPACTION_DEFAULTS.tailShare),
      tokens,
      ...(known && { covered: known.messages - (isInstruction(messages[0]) ? 1 : 0) }),
    })

  const compaction: Compaction = createCompaction<WindowPlan>({
    host,
    threshold,
    trigger: () => (seed || input.threshold > 0 ? Math.min(threshold(), shiftThreshold()) : Infinity),
    async plan(call) {
      const { readable } = call
      const pause = createPause()
      const room = messageRoom({ ...call, tokens, thresholdTokens: threshold() })
      const known = input.known(readable)
      await pause()
      const split = splitFor(readable, room, known)
      await pause()
      const leavingTokens = countMessages(tokens, split.middle)
      await pause()
      const staying = countMessages(tokens, assemble(split, ''))
      const recordsTokens = seed ? summaryTokens.most : recordsBudget(room)
      const left = Math.floor(room - staying - (model === undefined ? room * FREE_SHARE : 0))
      const wholeTokens = Math.max(recordsTokens, left)
      return {
        split,
        known,
        recordsTokens,
        wholeTokens,
        leavingTokens,
        targetTokens: room,
        // A summary that is there already costs nothing.
        isDue: known !== undefined,
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

/** Writes the summary of a plan, and keeps one that stands for all of the transcript but the tail. */
async function writePlanned(
  { host, seed, keep }: WindowCompactionInput,
  { split, known, recordsTokens, wholeTokens }: WindowPlan,
  call: WriteCall,
): Promise<CompressResult> {
  const { middle, tail, request } = split
  const pause = createPause()
  const told: WrittenSummary = { text: known?.text ?? '', writer: 'earlier', warnings: [] }
  const written =
    middle.length === 0
      ? told
      : await writeSummary({
          call,
          messages: middle,
          previousSummary: known?.text ?? split.previousSummary,
          recordsTokens,
          wholeTokens,
          ...(seed && { sections: SEED_SECTIONS }),
          tokens: host.tokens,
        })
  const result = call.summarised(written, (text) => ({
    after: assemble(split, text),
    summary: `summarised ${middle.length}, kept ${tail.length} last`,
  }))
  // A request apart from the tail is in the middle of what the summary covers.
  const isWhole = request === undefined && call.readable.length === call.messages.length
  await pause()
  if (result.outcome === 'compacted' && isWhole) keep({ text: written.text ?? '', tail })
  return result
}

/** The priorities of the described system, in its order, as sections. */
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
