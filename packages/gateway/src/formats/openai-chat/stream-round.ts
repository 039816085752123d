import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { addCallPiece, callFields, type StreamedCall } from '@palimpsest/provider-utils'
import { BrokenEvent } from '../../http/gateway-fault.ts'
import { ROUND_BREAK } from '../wire-format.ts'

/** The part of an answer that the client has seen before this round. */
interface RoundStart {
  /** Undefined in the first round. */
  readonly id: unknown
  readonly created: unknown
  /** The visible text so far. */
  readonly text: string
}

export interface StreamRoundInput {
  readonly own: ReadonlySet<string>
  /** Whether there is one answer: several are passed on as they come. */
  readonly isSingle: boolean
  /** Whether the client asked for usage. */
  readonly wantsUsage: boolean
  /** Undefined in the first round. */
  readonly before: RoundStart | undefined
}

export type StreamRound = ReturnType<typeof createStreamRound>

/** One request's stream on its way to the client: chunk by chunk, without what concerns the engine alone. */
export function createStreamRound({ own, isSingle, wantsUsage, before }: StreamRoundInput) {
  const builder = createMessageBuilder()
  const calls = createToolCallStream(own)
  let envelope: Loose | undefined
  let finish: Loose | undefined
  let isFinished = false
  let usage: Loose | undefined
  let usageChunk: Loose | undefined

  const framed = (chunk: Loose) => frame(chunk, before, wantsUsage)

  /** The visible part of a piece. Undefined when there is none. */
  const visibleDelta = (delta: Loose): Loose | undefined => {
    const { tool_calls: pieces, ...rest } = delta
    const shown = Array.isArray(pieces) ? calls.take(pieces) : []
    const isLeading = before !== undefined && builder.text === ''
    builder.take(delta)
    const kept = before === undefined ? rest : continued(rest, isLeading, before.text)
    const visible = { ...kept, ...(shown.length > 0 && { tool_calls: shown }) }
    return Object.keys(visible).length === 0 ? undefined : visible
  }

  const takeChoice = (chunk: Loose, choice: Loose): Loose[] => {
    const { finish_reason: reason } = choice
    const isLast = reason !== null && reason !== undefined
    const delta = looseOf(choice.delta)
    if (!isSingle) {
      isFinished ||= isLast
      // The first of them stands for all.
      if (choice.index === 0) builder.take(delta)
      return [framed(chunk)]
    }
    const visible = visibleDelta(delta)
    if (isLast && calls.calls.some((call) => callFields(call).name === ''))
      throw new BrokenEvent('a call has no name')
    isFinished ||= isLast
    if (isLast) finish = { ...chunk, choices: [{ ...choice, delta: {} }] }
    if (visible === undefined) return []
    // Usage that comes with the end is told with the end.
    const { usage: _, ...plain } = chunk
    const carrier = isLast ? plain : chunk
    return [framed({ ...carrier, choices: [{ ...choice, delta: visible, finish_reason: null }] })]
  }

  return {
    /** The chunks for the client. The end of the answer is held back. */
    take(chunk: Loose): Loose[] {
      if (isObject(chunk.usage)) usage = chunk.usage
      const { choices } = chunk
      if (!Array.isArray(choices)) return [framed(chunk)]
      if (choices[0] !== undefined) {
        envelope ??= chunk
        return takeChoice(chunk, looseOf(choices[0]))
      }
      if (!isObject(chunk.usage)) return before === undefined ? [framed(chunk)] : []
      usageChunk = chunk
      return []
    },
    /** The answer, calls of the engine's tools included. */
    get message(): Loose {
      return { ...builder.message, ...(calls.calls.length > 0 && { tool_calls: calls.calls }) }
    },
    get usage() {
      return usage
    },
    /** Whether the upstream said why it stopped. */
    get isFinished() {
      return isFinished
    },
    /** For the round after this one. */
    get seen(): RoundStart {
      const { id, created } = before ?? envelope ?? {}
      const text = [before?.text ?? '', builder.text].filter(Boolean).join(ROUND_BREAK)
      return { id, created, text }
    },
    /** The end of the whole answer. */
    end(): Loose[] {
      const reported = isObject(finish?.usage) ? { ...finish, usage } : finish
      return [
        ...heldCalls(calls.flush(), finish ?? envelope ?? {}),
        ...(reported === undefined ? [] : [reported]),
        ...(wantsUsage && usageChunk !== undefined ? [usageChunk] : []),
      ].map(framed)
    },
  }
}

/** The chunk as one of the stream that the client sees. */
function frame({ usage, ...chunk }: Loose, before: RoundStart | undefined, wantsUsage: boolean): Loose {
  return {
    ...chunk,
    ...(usage !== undefined && (wantsUsage || usage !== null) && { usage }),
    ...(before !== undefined && { id: before.id, created: before.created }),
  }
}

/** A chunk with the calls that were held back; none without calls. */
function heldCalls(held: readonly Loose[], { usage: _, ...plain }: Loose): Loose[] {
  if (held.length === 0) return []
  return [{ ...plain, choices: [{ index: 0, delta: { tool_calls: held }, finish_reason: null }] }]
}

/** A piece of a later round: the client has the role already, and an empty text says nothing. */
function continued(delta: Loose, isLeading: boolean, textBefore: string): Loose {
  const { role: _, content, ...rest } = delta
  if (content === undefined || content === null || content === '') return rest
  const isParted = isLeading && textBefore !== '' && typeof content === 'string'
  return { ...rest, content: isParted ? `${ROUND_BREAK}${content}` : content }
}

/** Members that are read on their own. */
const NOT_EXTRA = new Set(['role', 'content', 'tool_calls', 'function_call'])

/** Assembles the pieces of one choice of a stream, calls aside. */
function createMessageBuilder() {
  let text = ''
  let extras: Loose = {}
  return {
    take(delta: Loose): void {
      text += textOf(delta.content)
      for (const [name, value] of Object.entries(delta)) {
        if (NOT_EXTRA.has(name) || value === null || value === undefined) continue
        extras = { ...extras, [name]: joined(extras[name], value) }
      }
    },
    get text() {
      return text
    },
    /** With its text and what else came, such as reasoning. */
    get message(): Loose {
      return { role: 'assistant', content: text === '' ? null : text, ...extras }
    },
  }
}

/** Texts and lists come in pieces, everything else whole. */
function joined(before: unknown, value: unknown): unknown {
  if (typeof before === 'string' && typeof value === 'string') return before + value
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value]
  return value
}

/** Some servers write a text as a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

/**
 * Assembles tool calls, and lets the pieces of the client's calls through.
 *
 * @param own names of the engine's tools.
 */
export function createToolCallStream(own: ReadonlySet<string>) {
  const streamed: StreamedCall[] = []
  /** The client's index of each call that it sees. */
  const shown = new Map<StreamedCall, number>()

  const show = (one: StreamedCall): Loose => {
    const index = shown.size
    shown.set(one, index)
    return { ...one.call, index }
  }

  return {
    /** Takes the pieces of one chunk. Returns those for the client. */
    take: (pieces: readonly unknown[]): Loose[] =>
      pieces.filter(isObject).flatMap((piece) => {
        const one = addCallPiece(streamed, piece)
        const index = shown.get(one)
        if (index !== undefined) return [{ ...piece, index }]
        return isClients(one.call, own) ? [show(one)] : []
      }),
    /** The stream is over. Returns the calls that were held back because their names could have gone on. */
    flush: (): Loose[] =>
      streamed.filter((one) => !shown.has(one) && !own.has(callFields(one.call).name)).map(show),
    /** All calls, the engine's too. */
    get calls(): readonly Loose[] {
      return streamed.map(({ call }) => call)
    },
  }
}

/** True once it is certain that a call is not the engine's: a name may come in pieces. */
function isClients(call: Loose, own: ReadonlySet<string>): boolean {
  const { name, input } = callFields(call)
  if (input !== '' && name !== '') return !own.has(name)
  return ![...own].some((other) => other.startsWith(name))
}
