import { checkProjection } from '../laws/check-projection.ts'
import { checkSequenceSliced } from '../laws/check-sequence.ts'
import { snapshotMessage } from '../messages/copy-message.ts'
import { equalValues } from '../messages/equal-values.ts'
import { isInstruction } from '../messages/is-instruction.ts'
import { leadingInstructions } from '../messages/merge-instructions.ts'
import { messageText } from '../messages/message-text.ts'
import { repairMessages } from '../messages/repair-messages.ts'
import { hasReasoning, stripReasoning } from '../messages/strip-reasoning.ts'
import type { Message, SystemMessage } from '../spec/v1/message.ts'
import type { Origin } from '../spec/v1/origin.ts'
import { inSlices } from './pause.ts'
import { type TracedMessages, traceOrigins } from './trace-origins.ts'
import type { TranscriptChange } from './transcript-ledger.ts'

/** The last compaction's messages and how much of the transcript they stand for. */
interface ProjectionBase extends TracedMessages {
  /** Messages of the transcript that the base covers, from its beginning. */
  readonly covered: number
}

/** The messages for the model: the last compaction's, then everything that the transcript got since. */
export interface SessionProjection {
  /** A valid sequence of messages. The list and the messages are frozen. */
  readonly messages: readonly Message[]
  readonly origins: readonly Origin[]
  /** Follows a change of the transcript, in slices. Returns what had to be repaired in the host's messages, usually nothing. */
  follow(transcript: readonly Message[], change: TranscriptChange): Promise<readonly string[]>
  /** Takes over a compaction of the first `covered` messages of the transcript. */
  commit(compacted: TracedMessages, covered: number): void
  /** A request was made of the messages: what the host appends from now on may be an answer to it. */
  sent(): void
  clear(): void
}

const NOTHING: TracedMessages = { messages: Object.freeze([]), origins: Object.freeze([]) }

export function createSessionProjection(): SessionProjection {
  let base: ProjectionBase | undefined
  let shown = NOTHING
  /** Whether a compaction was committed that no request has shown to a model yet. */
  let isUnseen = false
  /** Messages of the transcript that an edit came in front of, and how they are shown from then on. */
  let unbound: WeakMap<Message, Message> | undefined

  const compose = (transcript: readonly Message[]): TracedMessages => {
    const covered = base?.covered ?? 0
    const said = transcript.slice(covered)
    const messages = said.map((message) => unbound?.get(message) ?? message)
    const origins = messages.map((message, index) => fromTranscript(covered + index, message === said[index]))
    if (base === undefined) return { messages, origins }
    return { messages: [...base.messages, ...messages], origins: [...base.origins, ...origins] }
  }

  return {
    get messages() {
      return shown.messages
    },
    get origins() {
      return shown.origins
    },
    async follow(transcript, change) {
      const { from, dropped, taken, system } = change
      for (const message of dropped > 0 ? behindEdit(transcript, change) : []) {
        unbound ??= new WeakMap()
        unbound.set(message, snapshotMessage(stripReasoning(message)))
      }
      if (base !== undefined && dropped > 0 && from < base.covered)
        base = withoutEnd(base, taken, from) ?? withoutSummary(transcript, from)
      else if (base !== undefined && system !== undefined) base = withSystem(base, system, transcript)
      if (base !== undefined && dropped > 0 && hidesLastUser(compose(transcript).messages, transcript))
        base = withoutSummary(transcript, base.covered)
      if (base !== undefined && isUnseen) base = withUnseen(base, transcript)
      const composed = frozen(compose(transcript))
      const faults = await inSlices(checkSequenceSliced(composed.messages, {}, shown.messages))
      if (faults.length === 0) {
        shown = composed
        return []
      }
      const repair = repairMessages(composed.messages)
      const messages = repair.messages.map((message) => snapshotMessage(message))
      shown = frozen({ messages, origins: traceOrigins(composed, messages, 'session') })
      return repair.changes
    },
    commit(compacted, covered) {
      base = { ...compacted, covered }
      shown = frozen(compacted)
      isUnseen = true
    },
    sent() {
      isUnseen = false
    },
    clear() {
      isUnseen = false
      base = undefined
      unbound = undefined
      shown = NOTHING
    },
  }
}

function frozen({ messages, origins }: TracedMessages): TracedMessages {
  return { messages: Object.freeze(messages), origins: Object.freeze(origins) }
}

function fromTranscript(index: number, whole: boolean): Origin {
  return { from: 'transcript', index, whole }
}

/**
 * Messages with reasoning that was given behind another beginning than the one that they have now. No request was made
 * since the edit, so those are all of them from the edit on; but not a message in place of the last one, which is an
 * answer in its final form.
 */
function behindEdit(transcript: readonly Message[], { from, dropped }: TranscriptChange): readonly Message[] {
  return transcript.slice(dropped === 1 ? from + 1 : from).filter(hasReasoning)
}

/**
 * Messages that came in behind an unseen compaction were written before it: their reasoning does not fit behind the
 * summary.
 */
function withUnseen(base: ProjectionBase, transcript: readonly Message[]): ProjectionBase {
  const late = withoutReasoning(transcript, base.covered, transcript.length)
  return {
    messages: [...base.messages, ...late.messages],
    origins: [...base.origins, ...late.origins],
    covered: transcript.length,
  }
}

function withoutReasoning(transcript: readonly Message[], from: number, to: number): TracedMessages {
  const said = transcript.slice(from, to)
  const messages = said.map((message) => snapshotMessage(stripReasoning(message)))
  const origins = said.map((message, index) => fromTranscript(from + index, !hasReasoning(message)))
  return { messages, origins }
}

/**
 * True when the last message of the user stands in a summary only: the host took back what came behind it when it
 * was summarised.
 */
function hidesLastUser(composed: readonly Message[], transcript: readonly Message[]): boolean {
  return checkProjection(composed, transcript).some(({ law }) => law === 4)
}

/**
 * The base without the messages from `from` on, when the host took back only what stands verbatim at its end: the
 * summary before that still speaks for what it stood for. Undefined when it does not.
 */
function withoutEnd(
  base: ProjectionBase,
  taken: readonly Message[],
  from: number,
): ProjectionBase | undefined {
  const back = base.covered - from
  for (let offset = 1; offset <= back; offset++) {
    const told = taken[back - offset]
    if (told === undefined || !equalValues(stripReasoning(told), base.messages.at(-offset))) return undefined
  }
  const messages = base.messages.slice(0, -back)
  const origins = base.origins.slice(0, -back)
  // Behind a summary in the user role another user message must not follow directly.
  const last = messages.at(-1)
  return last?.role === 'assistant' || last?.role === 'tool'
    ? { messages, origins, covered: from }
    : undefined
}

/**
 * A summary of messages that the host took back must not speak for them any longer, so the projection starts
 * over from the transcript. Reasoning that was given behind the summary does not fit there: it goes.
 */
function withoutSummary(transcript: readonly Message[], covered: number): ProjectionBase {
  return { ...withoutReasoning(transcript, 0, covered), covered }
}

/** The base under a new text of the system prompt; the note that an engine appended to the old one is kept. */
function withSystem(
  base: ProjectionBase,
  before: readonly Message[],
  transcript: readonly Message[],
): ProjectionBase {
  const [current, ...rest] = base.messages
  const old = systemPrompt(before)
  const next = systemPrompt(transcript)
  if (!isInstruction(current) || old === undefined || next === undefined) return base
  const note = messageText(current).slice(messageText(old).length)
  const system = note === '' || messageText(next).endsWith(note) ? next : withNote(next, note)
  return { ...base, messages: [snapshotMessage(system), ...rest] }
}

/** The system prompt as a request holds it: one, even if the host has several. */
function systemPrompt(messages: readonly Message[]): SystemMessage | undefined {
  const [first] = repairMessages(messages.slice(0, leadingInstructions(messages))).messages
  return isInstruction(first) ? first : undefined
}

function withNote(system: SystemMessage, note: string): SystemMessage {
  if (typeof system.content === 'string') return { ...system, content: system.content + note }
  return { ...system, content: [...system.content, { type: 'text', text: note }] }
}
