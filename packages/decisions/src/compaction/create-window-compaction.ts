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
  type CompactionPlan,
  createCompaction,
  type WriteCall,
  type WrittenSummary,
} from '@palimpsest/core/summarizer'
import { createIdentifierMemory, type IdentifierMemory } from '@palimpsest/extractive'
import { COMPACTION_DEFAULTS } from './compaction-defaults.ts'
import { type SplitMessages, splitMessages } from './split-messages.ts'
import { type WriteSummaryInput, writeSummary } from './write-summary.ts'

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

interface WindowPlan extends CompactionPlan {
  readonly split: SplitMessages
  readonly known: KnownSummary | undefined
  readonly limits: Lengths
}

/**
 * The compaction of the described system: everything but the system prompt and recent messages becomes one summary of
 * 800 to 1,200 tokens, which is brought up to date each time. What was decided does not depend on it.
 */
export function createWindowCompaction(input: WindowCompactionInput): EngineParts {
  const { host, seed } = input
  const { tokens, model } = host
  const memory = createIdentifierMemory()

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

  const compaction = createCompaction<WindowPlan>({
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
      const limits = lengths({ room, seed, hasModel: model !== undefined, left: room - staying })
      return {
        split,
        known,
        limits,
        leavingTokens,
        targetTokens: room,
        // A summary that is there already costs nothing.
        isDue: known !== undefined,
        resultTokens: staying + limits.wholeTokens,
        staying: () => describeStaying(split),
      }
    },
    write: (plan, call) => writePlanned(input, memory, plan, call),
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
    ingest: ({ messages, from }) => memory.addInSlices(messages, from),
    hasContentToCompress(messages) {
      const room = messageRoom({ messages, tokens, thresholdTokens: threshold() })
      return splitFor(readMessages(messages), room).middle.length > 0
    },
    updateModel: compaction.updateModel,
    async onSessionReset() {
      compaction.reset()
      memory.clear()
    },
  }
}

/** Writes the summary of a plan, and keeps one that stands for all of the transcript but the tail. */
async function writePlanned(
  { host, keep }: WindowCompactionInput,
  memory: IdentifierMemory,
  { split, known, limits }: WindowPlan,
  call: WriteCall,
): Promise<CompressResult> {
  const { middle, tail, request } = split
  const pause = createPause()
  const told: WrittenSummary = { text: known?.text ?? '', writer: 'earlier', warnings: [] }
  const written =
    middle.length === 0
      ? told
      : await writeSummary({
          ...call,
          ...limits,
          messages: middle,
          visible: tail,
          request,
          previousSummary: known?.text ?? split.previousSummary,
          memory,
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

type Lengths = Pick<WriteSummaryInput, 'maxTokens' | 'excerptTokens' | 'identifierTokens' | 'wholeTokens'>

interface LengthsInput {
  readonly room: number
  readonly seed: boolean
  readonly hasModel: boolean
  /** Room beside what stays, in tokens. */
  readonly left: number
}

/**
 * The bounds of a model's text, of quoted lines and of identifiers, in tokens: less where what stays leaves less. In the
 * profile `seed` they share the length of a summary: the model is told all of it, and identifiers fill what it leaves.
 */
function lengths({ room, seed, hasModel, left }: LengthsInput): Lengths {
  const { summaryTokens, summaryShare, seedIdentifierShare, identifiers, excerpts, leastShare } =
    COMPACTION_DEFAULTS
  const prose = Math.min(summaryTokens.most, room * summaryShare)
  const listed = seed ? prose * seedIdentifierShare : Math.min(identifiers.most, room * identifiers.share)
  const seedQuoted = hasModel ? 0 : prose - listed
  const quoted = seed ? seedQuoted : Math.min(excerpts.most, room * excerpts.share)
  const whole = seed ? prose : (hasModel ? prose : 0) + quoted + listed
  const share = Math.min(1, Math.max(leastShare, left / whole))
  return {
    maxTokens: Math.max(1, Math.floor(prose * share)),
    excerptTokens: Math.floor(quoted * share),
    identifierTokens: Math.floor(listed * share),
    wholeTokens: Math.max(1, Math.floor(whole * share)),
  }
}

function assemble({ system, request, tail }: SplitMessages, summary: string): Message[] {
  return placeSummary({ head: system === undefined ? [] : [system], summary, request, tail })
}

function describeStaying({ request, tail }: SplitMessages): string {
  return `the last ${tail.length} messages${request === undefined ? '' : ' and the request before them'}`
}
