import { checkProjection } from '../invariants/check-projection.ts'
import { checkSequence } from '../invariants/check-sequence.ts'
import { isInstruction, leadingInstructions } from '../messages/instructions.ts'
import { changedFrom, equalValues, isObject, looseOf, snapshotMessage } from '../messages/json-value.ts'
import { messageText } from '../messages/message-parts.ts'
import { hasReasoning, stripReasoning } from '../messages/reasoning.ts'
import { repairMessages } from '../messages/repair-messages.ts'
import type { Message, Origin, SystemMessage } from '../spec/v1/index.ts'
import type { LogChange, SessionLog } from './conversation-log.ts'
import { originsOf } from './origins.ts'
import type { CompactionTrigger, MessagePlace } from './session-types.ts'

export interface ProjectionBase {
  readonly messages: readonly Message[]
  readonly covered: number
}

export interface CommitReason {
  readonly trigger: CompactionTrigger
  readonly isFurther: boolean
}

export type SessionProjection = ReturnType<typeof createSessionProjection>

export function createSessionProjection(log: SessionLog, engineName: string, isBound: () => boolean) {
  let base: ProjectionBase | undefined
  let shown: readonly Message[] = Object.freeze([])
  let before: ProjectionBase | undefined
  let isUnseen = false
  let moved = new WeakSet<Message>()
  let repaired = new WeakSet<Message>()
  const bare = new WeakMap<Message, Message>()

  const unbind = (message: Message): Message => {
    if (!isBound() || !hasReasoning(message)) return message
    const known = bare.get(message) ?? snapshotMessage(stripReasoning(message))
    bare.set(message, known)
    return known
  }
  const tail = (from: number, hasChanged: (message: Message) => boolean): readonly Message[] =>
    log.messages.slice(from).map((message) => (hasChanged(message) ? unbind(message) : message))
  /** Adds messages that were written before an unseen compaction, and so without its summary. */
  const withUnseen = (of: ProjectionBase): ProjectionBase => ({
    messages: [...of.messages, ...tail(of.covered, () => true)],
    covered: log.messages.length,
  })
  const compose = (from = base): readonly Message[] => [
    ...(from?.messages ?? []),
    ...tail(from?.covered ?? 0, (message) => moved.has(message)),
  ]
  const origins = (messages: readonly Message[]): readonly Origin[] =>
    originsOf(log, messages, (message) => (repaired.has(message) ? 'session' : engineName))

  const show = (): readonly string[] => {
    const composed = Object.freeze(compose())
    if (checkSequence(composed).length === 0) {
      shown = composed
      return []
    }
    const repair = repairMessages(composed)
    shown = Object.freeze(repair.messages.map((message) => snapshotMessage(message)))
    const known = new Set(composed)
    for (const message of shown) if (!known.has(message)) repaired.add(message)
    return repair.changes
  }

  const edited = (
    of: ProjectionBase | undefined,
    { from, taken, system }: LogChange,
  ): ProjectionBase | undefined => {
    if (of === undefined) return undefined
    const isEdited = taken.length > 0
    const cut = isEdited && from < of.covered ? withoutEnd(of, taken, from) : of
    const next = cut && system !== undefined ? withSystem(cut, system, log.messages) : cut
    return next && isEdited && hidesLastUser(compose(next), log.messages) ? undefined : next
  }

  return {
    get messages() {
      return shown
    },
    whole: (): readonly Message[] => (base === undefined ? shown : log.messages.map(unbind)),
    origins,
    follow(change: LogChange): readonly string[] {
      const { from, taken } = change
      for (const message of afterEdit(log.messages, change)) moved.add(message)
      if (base !== undefined) {
        const covered = taken.length > 0 ? Math.min(from, base.covered) : base.covered
        base = edited(base, change)
        before = base && edited(before, change)
        // The host removed messages that the summary covers, so the projection restarts from the log.
        base ??= { messages: tail(0, () => true).slice(0, covered), covered }
        if (isUnseen) base = withUnseen(base)
      }
      return show()
    },
    commit(compacted: readonly Message[], of: ProjectionBase, { isFurther }: CommitReason): void {
      if (before === undefined || !isFurther) before = of
      const first = changedFrom(of.messages, compacted)
      const messages = compacted.map((message, index) => (index < first ? message : unbind(message)))
      base = withUnseen({ messages, covered: of.covered })
      isUnseen = true
      show()
    },
    left: (): readonly MessagePlace[] | undefined =>
      before && leftMessages(log, origins(before.messages), origins(base?.messages ?? [])),
    undo(): void {
      if (before === undefined) return
      base = withUnseen(before)
      isUnseen = true
      before = undefined
      show()
    },
    rebind(): void {
      if (isBound()) base = { messages: compose().map(unbind), covered: log.messages.length }
      else if (base !== undefined)
        base = {
          ...base,
          messages: base.messages.map((message) => {
            const said = log.messages[log.indexOf(message)]
            return said !== undefined && equalValues(stripReasoning(said), message) ? said : message
          }),
        }
      show()
    },
    dropNative(): boolean {
      if (!base?.messages.some(isNative)) return false
      base = {
        ...base,
        messages: base.messages.map((message) => (isNative(message) ? asText(message) : message)),
      }
      show()
      return true
    },
    /** Changes identity when the result of `toStored` changes; undefined before the first compaction. */
    get base(): object | undefined {
      return base
    },
    toStored() {
      if (base === undefined) return null
      const messages = base.messages.map((message) =>
        log.messages[log.indexOf(message)] === message ? (message.id as string) : message,
      )
      return { messages, covered: base.covered, system: log.said.slice(0, leadingInstructions(log.said)) }
    },
    restore(value: unknown): void {
      base = readStored(value, log)
      show()
    },
    sent(): void {
      isUnseen = false
    },
    clear(): void {
      isUnseen = false
      base = undefined
      before = undefined
      moved = new WeakSet()
      repaired = new WeakSet()
      shown = Object.freeze([])
    },
  }
}

function isNative({ id, providerData }: Message): boolean {
  return id === undefined && providerData !== undefined
}

function asText({ providerData: _, ...message }: Message): Message {
  return snapshotMessage(message as Message)
}

/**
 * Messages with reasoning that was written after a different prefix. No request was made since the edit, so these are
 * all messages from the edit on, except the final form of the last answer.
 */
function afterEdit(messages: readonly Message[], { from, taken }: LogChange): readonly Message[] {
  if (taken.length === 0) return []
  return messages.slice(taken.length === 1 ? from + 1 : from).filter(hasReasoning)
}

function hidesLastUser(composed: readonly Message[], messages: readonly Message[]): boolean {
  return checkProjection(composed, messages).some(({ invariant }) => invariant === 4)
}

/**
 * The base without the messages from `from`, if the host removed only messages shown verbatim at its end. Otherwise
 * undefined.
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
  // Two user messages in a row are not allowed after a summary in the user role.
  const last = messages.at(-1)
  return last?.role === 'assistant' || last?.role === 'tool' ? { messages, covered: from } : undefined
}

function leftMessages(
  { said }: SessionLog,
  before: readonly Origin[],
  after: readonly Origin[],
): MessagePlace[] {
  const whole = new Map(
    after.flatMap((origin) => (origin.from === 'transcript' ? [[origin.index, origin.whole] as const] : [])),
  )
  const lead = leadingInstructions(said)
  return before.flatMap((origin) => {
    if (origin.from !== 'transcript' || origin.index < lead) return []
    const { index } = origin
    const isShown = whole.has(index) && (whole.get(index) === true || !origin.whole)
    if (isShown) return []
    const id = said[index]?.id
    return [{ index, ...(typeof id === 'string' && { id }) }]
  })
}

function readStored(value: unknown, log: SessionLog): ProjectionBase {
  const { messages: list, system, covered } = looseOf(value)
  if (!Number.isSafeInteger(covered) || !Array.isArray(list) || !Array.isArray(system))
    throw new TypeError('it is not what a session stored')
  if ((covered as number) > log.messages.length)
    throw new TypeError(`it covers ${covered} messages, and there are ${log.messages.length}`)
  const said = log.messages.slice(0, covered as number)
  const messages = list.map((message: unknown) => {
    if (typeof message === 'string') {
      const own = log.find(message)?.message
      if (own === undefined) throw new TypeError(`there is no message ${message}`)
      return own
    }
    if (!isObject(message)) throw new TypeError('it has messages that are none')
    return snapshotMessage(message as unknown as Message)
  })
  const base = { messages, covered: covered as number }
  // The host may have changed its system prompt after an engine appended a note.
  const isNoted = isObject(list[0]) && isInstruction(messages[0])
  const next = isNoted ? withSystem(base, system, said) : base
  const [first] = checkProjection(next.messages, said, { before: repairMessages(said).messages })
  if (first !== undefined) throw new TypeError(`${first.code} at message ${first.index}: ${first.message}`)
  return next
}

function withSystem<Base extends { readonly messages: readonly Message[] }>(
  base: Base,
  before: readonly Message[],
  messages: readonly Message[],
): Base {
  const [current, ...rest] = base.messages
  const old = systemPrompt(before)
  const next = systemPrompt(messages)
  if (!isInstruction(current) || old === undefined || next === undefined) return base
  const note = messageText(current).slice(messageText(old).length)
  const system = note === '' || messageText(next).endsWith(note) ? next : withNote(next, note)
  return { ...base, messages: [snapshotMessage(system), ...rest] }
}

function systemPrompt(messages: readonly Message[]): SystemMessage | undefined {
  const [first] = repairMessages(messages.slice(0, leadingInstructions(messages))).messages
  return isInstruction(first) ? first : undefined
}

function withNote(system: SystemMessage, note: string): SystemMessage {
  if (typeof system.content === 'string') return { ...system, content: system.content + note }
  return { ...system, content: [...system.content, { type: 'text', text: note }] }
}
