import { checkProjection } from '../laws/check-projection.ts'
import { checkSequence } from '../laws/check-sequence.ts'
import { isInstruction, leadingInstructions } from '../messages/instructions.ts'
import { changedFrom, equalValues, isObject, looseOf, snapshotMessage } from '../messages/json-value.ts'
import { messageText } from '../messages/message-parts.ts'
import { hasReasoning, stripReasoning } from '../messages/reasoning.ts'
import { repairMessages } from '../messages/repair-messages.ts'
import type { Message, Origin, SystemMessage } from '../spec/v1/index.ts'
import { inForm, readOrigins, traceOrigins } from './origins.ts'
import type {
  CompactionTrigger,
  MessagePlace,
  ProjectionBase,
  StoredProjection,
  TracedMessages,
} from './session-types.ts'
import type { TranscriptChange } from './transcript-ledger.ts'

export interface CommitReason {
  readonly trigger: CompactionTrigger
  /** It goes with the one before it, and is undone with it. */
  readonly isFurther: boolean
}

const NOTHING: TracedMessages = { messages: Object.freeze([]), origins: Object.freeze([]) }

export type SessionProjection = ReturnType<typeof createSessionProjection>

/**
 * The messages for the model: the last compaction's, then everything that the transcript got since.
 *
 * @param isBound whether the model refuses reasoning once something before it has changed.
 */
export function createSessionProjection(isBound: () => boolean) {
  let base: ProjectionBase | undefined
  let shown = NOTHING
  /** What was shown before the last compaction, the ones that went with it, and what was shortened since. */
  let before: ProjectionBase | undefined
  let compactions = 0
  let kept:
    | { readonly of: ProjectionBase | undefined; readonly stored: StoredProjection | undefined }
    | undefined
  /** Whether a compaction was committed that no request has shown to a model yet. */
  let isUnseen = false
  /** Messages of the transcript that an edit came in front of. */
  let moved = new WeakSet<Message>()

  /** Messages without their reasoning: the same object each time, so that its count of tokens is kept. */
  const bare = new WeakMap<Message, Message>()

  const unbind = (message: Message): Message => {
    if (!isBound() || !hasReasoning(message)) return message
    const known = bare.get(message) ?? snapshotMessage(stripReasoning(message))
    bare.set(message, known)
    return known
  }
  /** Messages of the transcript from an index on. Where something before a message has changed, it goes without its reasoning. */
  const tail = (
    transcript: readonly Message[],
    from: number,
    hasChanged: (message: Message) => boolean,
  ): TracedMessages => {
    const messages = transcript.slice(from)
    const origins = messages.map(
      (_, index): Origin => ({ from: 'transcript', index: from + index, whole: true }),
    )
    return inForm(
      { messages, origins },
      messages.map((message) => (hasChanged(message) ? unbind(message) : message)),
    )
  }
  /** Adds messages that were written before an unseen compaction, and so without its summary before them. */
  const withUnseen = (of: ProjectionBase, transcript: readonly Message[]): ProjectionBase => ({
    ...joined(
      of,
      tail(transcript, of.covered, () => true),
    ),
    covered: transcript.length,
  })

  const compose = (transcript: readonly Message[], from = base): TracedMessages => {
    const late = tail(transcript, from?.covered ?? 0, (message) => moved.has(message))
    return from === undefined ? late : joined(from, late)
  }

  const show = (transcript: readonly Message[]): readonly string[] => {
    const composed = frozen(compose(transcript))
    if (checkSequence(composed.messages).length === 0) {
      shown = composed
      return []
    }
    const repair = repairMessages(composed.messages)
    const messages = repair.messages.map((message) => snapshotMessage(message))
    shown = frozen({ messages, origins: traceOrigins(composed, messages, 'session') })
    return repair.changes
  }

  /** What is left of messages after an edit; undefined when they do not hold any more. */
  const edited = (
    of: ProjectionBase | undefined,
    transcript: readonly Message[],
    { from, taken, system }: TranscriptChange,
  ): ProjectionBase | undefined => {
    if (of === undefined) return undefined
    const isEdited = taken.length > 0
    const cut = isEdited && from < of.covered ? withoutEnd(of, taken, from) : of
    const next = cut && system !== undefined ? withSystem(cut, system, transcript) : cut
    return next && isEdited && hidesLastUser(compose(transcript, next).messages, transcript)
      ? undefined
      : next
  }

  return {
    get messages() {
      return shown.messages
    },
    get origins() {
      return shown.origins
    },
    /** Follows a change of the transcript. Returns what had to be repaired in the host's messages, usually nothing. */
    follow(transcript: readonly Message[], change: TranscriptChange): readonly string[] {
      const { from, taken } = change
      for (const message of behindEdit(transcript, change)) moved.add(message)
      if (base !== undefined) {
        const covered = taken.length > 0 ? Math.min(from, base.covered) : base.covered
        base = edited(base, transcript, change)
        before = base && edited(before, transcript, change)
        // The host took back messages that the summary covers: the projection begins anew from the transcript.
        base ??= { ...tail(transcript.slice(0, covered), 0, () => true), covered }
        if (isUnseen) base = withUnseen(base, transcript)
      }
      return show(transcript)
    },
    commit(compacted: TracedMessages, covered: number, { trigger, isFurther }: CommitReason): void {
      if (before === undefined || !isFurther) before = { ...shown, covered }
      if (trigger !== 'prune') compactions++
      const first = changedFrom(shown.messages, compacted.messages)
      const next = inForm(
        compacted,
        compacted.messages.map((message, index) => (index < first ? message : unbind(message))),
      )
      base = { ...next, covered }
      shown = frozen(next)
      isUnseen = true
    },
    /** Messages that the last compaction took out or shortened; undefined when there is none that can be undone. */
    left: (transcript: readonly Message[]): readonly MessagePlace[] | undefined =>
      before && leftMessages(before.origins, base?.origins ?? [], transcript),
    undo(transcript: readonly Message[]): void {
      if (before === undefined) return
      // Later answers were answers to a summary.
      base = withUnseen(before, transcript)
      isUnseen = true
      before = undefined
      show(transcript)
    },
    /** Follows a change of `isBound`: shows all reasoning that the transcript has, or none that was given so far. */
    rebind(transcript: readonly Message[]): void {
      if (isBound()) {
        const all = compose(transcript)
        base = { ...inForm(all, all.messages.map(unbind)), covered: transcript.length }
      } else if (base !== undefined) {
        const { messages, origins, covered } = base
        const whole = messages.map((message, index) => {
          const origin = origins[index]
          const said = origin?.from === 'transcript' ? transcript[origin.index] : undefined
          return said !== undefined && equalValues(stripReasoning(said), message) ? said : message
        })
        const shownAs = (origin: Origin, index: number): Origin =>
          origin.from === 'transcript' && transcript[origin.index] === whole[index]
            ? { ...origin, whole: true }
            : origin
        base = { messages: whole, origins: origins.map(shownAs), covered }
      }
      show(transcript)
    },
    /** What a host keeps to go on later: the same object until a compaction or an edit changes it. */
    stored(transcript: readonly Message[]): StoredProjection | undefined {
      if (kept === undefined || kept.of !== base)
        kept = { of: base, stored: toStored(base, transcript, compactions) }
      return kept.stored
    },
    /** Begins with what a host kept. Throws why it cannot; the count of compactions goes on all the same. */
    restore(value: StoredProjection, transcript: readonly Message[]): void {
      compactions = readCompactions(value)
      kept = undefined
      base = readStored(value, transcript)
      kept = { of: base, stored: value }
    },
    /** A request was made of the messages: what the host appends from now on may be an answer to it. */
    sent(): void {
      isUnseen = false
    },
    clear(): void {
      isUnseen = false
      base = undefined
      before = undefined
      compactions = 0
      kept = undefined
      moved = new WeakSet()
      shown = NOTHING
    },
  }
}

function frozen({ messages, origins }: TracedMessages): TracedMessages {
  return { messages: Object.freeze(messages), origins: Object.freeze(origins) }
}

function joined(one: TracedMessages, other: TracedMessages): TracedMessages {
  return { messages: [...one.messages, ...other.messages], origins: [...one.origins, ...other.origins] }
}

/**
 * Messages with reasoning that was given behind another beginning than the one that they have now. No request was made
 * since the edit, so those are all of them from the edit on; but not a message in place of the last one, which is an
 * answer in its final form.
 */
function behindEdit(transcript: readonly Message[], { from, taken }: TranscriptChange): readonly Message[] {
  if (taken.length === 0) return []
  return transcript.slice(taken.length === 1 ? from + 1 : from).filter(hasReasoning)
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
    const shown = base.messages.at(-offset)
    if (told === undefined || !(equalValues(told, shown) || equalValues(stripReasoning(told), shown)))
      return undefined
  }
  const messages = base.messages.slice(0, -back)
  const origins = base.origins.slice(0, -back)
  // Behind a summary in the user role another user message must not follow directly.
  const last = messages.at(-1)
  return last?.role === 'assistant' || last?.role === 'tool'
    ? { messages, origins, covered: from }
    : undefined
}

/** Messages that the first list shows, and the second does not or only in another form. In order. */
function leftMessages(
  before: readonly Origin[],
  after: readonly Origin[],
  transcript: readonly Message[],
): MessagePlace[] {
  const whole = new Map(
    after.flatMap((origin) => (origin.from === 'transcript' ? [[origin.index, origin.whole] as const] : [])),
  )
  // The system prompt never leaves: it may have got a note.
  const lead = leadingInstructions(transcript)
  return before.flatMap((origin) => {
    if (origin.from !== 'transcript' || origin.index < lead) return []
    const { index } = origin
    const isShown = whole.has(index) && (whole.get(index) === true || !origin.whole)
    if (isShown) return []
    const id = transcript[index]?.id
    return [{ index, ...(typeof id === 'string' && { id }) }]
  })
}

const NOTHING_COVERED = { messages: [], origins: [], covered: 0, system: [] }

export function toStored(
  base: ProjectionBase | undefined,
  transcript: readonly Message[],
  compactions: number,
): StoredProjection | undefined {
  if (base !== undefined && !isWhole(base))
    return { ...base, system: transcript.slice(0, leadingInstructions(transcript)), compactions }
  return compactions === 0 ? undefined : { ...NOTHING_COVERED, compactions }
}

function isWhole({ origins, covered }: ProjectionBase): boolean {
  return origins.length === covered && origins.every((origin) => origin.from === 'transcript' && origin.whole)
}

/**
 * The base that a host kept of this transcript. Undefined when it kept none.
 *
 * @throws TypeError that says why it does not fit, or what reading it throws.
 */
export function readStored(value: unknown, transcript: readonly Message[]): ProjectionBase | undefined {
  const { messages: list, origins: told, system, covered } = looseOf(value)
  if (covered === 0) return undefined
  if (!isCount(covered) || !Array.isArray(list) || !Array.isArray(system))
    throw new TypeError('it is not what a session stored')
  if (covered > transcript.length)
    throw new TypeError(`it stands for ${covered} messages, and there are ${transcript.length}`)
  const said = transcript.slice(0, covered)
  const messages = list.map((message: Message) => snapshotMessage(message))
  if (!messages.every(isObject)) throw new TypeError('it has messages that are none')
  const base = withSystem({ messages, covered }, system, said)
  const origins = readOrigins(told, base.messages, said)
  const [first] = checkProjection(base.messages, said, { before: repairMessages(said).messages })
  if (first !== undefined) throw new TypeError(`${first.code} at message ${first.index}: ${first.message}`)
  return { ...base, origins }
}

export function readCompactions(value: unknown): number {
  const { compactions } = looseOf(value)
  return isCount(compactions) ? compactions : 0
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/**
 * A compaction's messages under a new text of the system prompt; the note that an engine appended to the old one is kept.
 *
 * @param before the system prompt as it was, of which the host may have several.
 */
export function withSystem<Base extends { readonly messages: readonly Message[] }>(
  base: Base,
  before: readonly Message[],
  transcript: readonly Message[],
): Base {
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
