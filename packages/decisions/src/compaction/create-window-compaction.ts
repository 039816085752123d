import {
  type CompressCall,
  type CompressResult,
  compactedResult,
  countMessages,
  createGrowthGate,
  createSerialQueue,
  type EngineHost,
  type EngineParts,
  HYGIENE_SHARE,
  isInstruction,
  keptResult,
  type Message,
  messageRoom,
  placeSummary,
  readMessages,
  thresholdTokens,
  type Warning,
} from '@palimpsest/core'
import { createModelCooldown } from '@palimpsest/core/summarizer'
import { createIdentifierMemory } from '@palimpsest/extractive'
import { COMPACTION_DEFAULTS } from './compaction-defaults.ts'
import { type SplitMessages, splitMessages } from './split-messages.ts'
import { type WriteSummaryInput, writeSummary } from './write-summary.ts'

/** The summary of an earlier life of the session, for a transcript that is told from its beginning again. */
export interface KnownSummary {
  /** How many messages it stands for, system prompt included. */
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

/** Less than this share of the room is not worth a summary, unless the user asks for it. */
const LEAST_SHARE = 0.02

/**
 * The compaction of the described system: everything but the system prompt and recent messages becomes one summary of
 * 800 to 1,200 tokens, which is brought up to date each time. What was decided does not depend on it.
 */
export function createWindowCompaction(input: WindowCompactionInput): EngineParts {
  const { host, seed } = input
  const { tokens, clock, model } = host
  const gate = createGrowthGate()
  const memory = createIdentifierMemory()
  let cooldown = createModelCooldown()
  const enqueue = createSerialQueue()
  let contextLength = host.contextLength

  const share = (part: number, floorTokens = 0): number =>
    thresholdTokens({ contextLength, maxOutputTokens: host.maxOutputTokens, threshold: part, floorTokens })
  const threshold = (): number =>
    seed
      ? Math.min(COMPACTION_DEFAULTS.seedThresholdTokens, share(COMPACTION_DEFAULTS.seedWindowShare))
      : share(input.threshold, input.floorTokens)
  /** Below this size a shift of the topic is no reason. */
  const shiftThreshold = (): number => {
    const { seedShiftTokens, seedThresholdTokens } = COMPACTION_DEFAULTS
    return seed && input.hasTopicShift() ? threshold() * (seedShiftTokens / seedThresholdTokens) : Infinity
  }

  const compress = async (call: CompressCall): Promise<CompressResult> => {
    const { messages: before, force = false, signal } = call
    const messages = readMessages(before)
    const size = countMessages(tokens, before)
    const current = call.currentTokens ?? size
    const room = messageRoom({ ...call, tokens, thresholdTokens: threshold() })
    const known = input.known(messages)
    const split = splitFor(messages, room, known)
    const leaving = countMessages(tokens, split.middle)
    const staying = countMessages(tokens, assemble(split, ''))
    const limits = lengths({ room, seed, hasModel: model !== undefined, left: room - staying })
    // What had to stay was too large when the gate was closed; by now something smaller may have to.
    const fits = staying + limits.wholeTokens < room
    const isBlocked = gate.isBlocked(current) && !(size >= room && fits)
    /** Why it is not worth while; undefined when it is. A summary that is there already costs nothing. */
    const idleReason = (): string | undefined => {
      if (known !== undefined) return undefined
      if (leaving === 0) return 'nothing-to-compact'
      if (force) return undefined
      if (isBlocked) return 'waiting-for-growth'
      return leaving < room * LEAST_SHARE ? 'too-little-to-compact' : undefined
    }
    const idle = idleReason()
    if (idle !== undefined) {
      gate.block(current)
      const warnings = current > threshold() ? [aboveTarget(split, size, room)] : []
      return keptResult('unchanged', idle, before, tokens, warnings)
    }
    const isFull = current >= contextLength * HYGIENE_SHARE
    const isCooling = model !== undefined && !force && cooldown.isCooling(clock.now())
    if (isCooling && !isFull) return keptResult('deferred', 'summariser-cooldown', before, tokens)

    const isTold = split.middle.length === 0
    const written = isTold
      ? { text: known?.text ?? '', writer: 'nobody' as const, warnings: [] }
      : await writeSummary({
          model: isCooling ? undefined : model,
          messages: split.middle,
          visible: split.tail,
          request: split.request,
          previousSummary: known?.text ?? split.previousSummary,
          focusTopic: call.focusTopic,
          memoryContext: call.memoryContext,
          ...limits,
          memory,
          tokens,
          signal,
          streak: cooldown.failures(),
          mustSummarize: force || isFull,
        })
    // A model that ignores its signal answers after the caller has gone: nothing of that is remembered.
    signal?.throwIfAborted()
    const { text, writer, warnings } = written
    const failure = 'failure' in written ? written.failure : undefined
    if (failure !== undefined) cooldown.failed(clock.now(), failure.cooldownMs)
    else if (writer === 'model') cooldown.succeeded()
    if (text === null) return keptResult('aborted', `summariser-${failure?.kind}`, before, tokens, warnings)

    const after = assemble(split, text)
    const reason = REASONS[writer]
    const summary = `summarised ${split.middle.length}, kept ${split.tail.length} last`
    const result = compactedResult({ before, after, tokens, reason, warnings, summary })
    if (result.outcome !== 'compacted') {
      gate.block(current)
      return result
    }
    gate.clear()
    // Who stands apart from the tail is in the middle of what the summary covers.
    if (split.request === undefined && messages.length === before.length)
      input.keep({ text, tail: split.tail })
    if (result.tokensAfter < room) return result
    gate.block(current - (result.tokensBefore - result.tokensAfter))
    return { ...result, warnings: [...warnings, aboveTarget(split, result.tokensAfter, room)] }
  }

  const splitFor = (
    messages: readonly Message[],
    room: number,
    known: KnownSummary | undefined,
  ): SplitMessages =>
    splitMessages(messages, {
      tailTokens: Math.floor(room * COMPACTION_DEFAULTS.tailShare),
      tokens,
      ...(known && { covered: known.messages - (isInstruction(messages[0]) ? 1 : 0) }),
    })

  return {
    capabilities: ['summarizer'],
    get thresholdTokens() {
      return threshold()
    },
    get contextLength() {
      return contextLength
    },
    shouldCompress: ({ promptTokens = 0 } = {}) =>
      (seed || input.threshold > 0) &&
      promptTokens >= Math.min(threshold(), shiftThreshold()) &&
      !gate.isBlocked(promptTokens),
    compress: (call) => enqueue(() => compress(call), call.signal),
    async ingest({ messages, from }) {
      memory.add(messages, from)
    },
    hasContentToCompress(messages) {
      const list = readMessages(messages)
      return (
        splitFor(list, messageRoom({ messages, tokens, thresholdTokens: threshold() }), undefined).middle
          .length > 0
      )
    },
    updateModel(update) {
      contextLength = update.contextLength
      gate.clear()
    },
    async onSessionReset() {
      gate.clear()
      memory.clear()
      cooldown = createModelCooldown()
    },
  }
}

/** Why a compaction is one, by who wrote its summary. */
const REASONS = {
  model: 'summarised',
  extractive: 'summarised-without-model',
  nobody: 'summarised-before',
} as const

type Lengths = Pick<WriteSummaryInput, 'maxTokens' | 'excerptTokens' | 'identifierTokens' | 'wholeTokens'>

interface LengthsInput {
  readonly room: number
  readonly seed: boolean
  readonly hasModel: boolean
  /** What stays leaves so much, in tokens. */
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
  return placeSummary({
    head: system === undefined ? [] : [system],
    summary,
    tail: request === undefined ? tail : [request, ...tail],
  })
}

function aboveTarget({ request, tail }: SplitMessages, size: number, room: number): Warning {
  const message =
    `the messages take ${size} tokens, the target is ${room}; what must stay is too large: ` +
    `the last ${tail.length} messages${request === undefined ? '' : ' and the request before them'}`
  return { code: 'above-target', message }
}
