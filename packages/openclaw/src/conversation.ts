import {
  type CompressResult,
  type ContextSession,
  equalValues,
  isInstruction,
  type Message,
  messageText,
  type Prepared,
} from '@palimpsest/core'
import { fromPiMessage, piUsage, toPiMessage } from '@palimpsest/transcripts'
import type { AgentMessage } from './host-types.ts'

/** Least room for a history, in tokens, so that the engine has something to work with. */
const LEAST_ROOM = 1_000
const REFUSED_SHARE = 0.75

export interface Shown {
  readonly messages: AgentMessage[]
  readonly tokens: number
  /** The engine's note for the system prompt, which OpenClaw does not show to engines. */
  readonly note: string
}

export interface Refusal {
  readonly promptTokens: number
  readonly limitTokens: number
}

export class Conversation {
  readonly session: ContextSession
  readonly #known = new WeakMap<AgentMessage, Message>()
  #history: readonly Told[] | undefined
  readonly #stored: () => Promise<readonly Message[]>
  #answers: readonly AgentMessage[] = []
  #room = LEAST_ROOM
  /** Share of its room for the history, reduced after a refusal because the estimate was too low. */
  #share = 1
  #model: string | undefined
  #refusedLength: number | undefined
  #shownTokens = 0
  #lastKey = ''

  constructor(session: ContextSession, stored: () => Promise<readonly Message[]> = async () => []) {
    this.session = session
    this.#stored = stored
  }

  isBehind(history: readonly AgentMessage[]): boolean {
    return !!this.#history?.length && completeHistory(this.#history, this.#toTold(history)) !== undefined
  }

  async show(
    history: readonly AgentMessage[],
    room: number,
    model: string | undefined,
    signal?: AbortSignal,
  ): Promise<Shown> {
    if (model !== this.#model) {
      this.#share = 1
      this.#refusedLength = undefined
    }
    this.#model = model
    this.#room = room
    const known = this.#history ?? (await this.#stored()).map((message) => ({ message }))
    const list = this.#toTold(history)
    this.#history = completeHistory(known, list) ?? list
    return this.#prepare(signal)
  }

  /**
   * Takes the answers of an accepted turn. Its messages arrive with the next history, with other call ids, and would
   * otherwise be stored twice.
   */
  commit(key: string, turn: readonly AgentMessage[]): 'committed' | 'duplicate' {
    if (key === this.#lastKey) return 'duplicate'
    this.#lastKey = key
    this.take(turn)
    return 'committed'
  }

  take(messages: readonly AgentMessage[]): void {
    this.#answers = [...this.#answers, ...messages.filter(({ role }) => role === 'assistant')]
  }

  async settle(): Promise<void> {
    const answers = this.#answers
    this.#answers = []
    for (const answer of answers) {
      const message = this.#read(answer)
      const { usage } = answer as { readonly usage?: unknown }
      if (message?.role === 'assistant') await this.session.observe({ message, usage: piUsage(usage) })
    }
  }

  async compact(focusTopic: string | undefined, signal?: AbortSignal): Promise<CompressResult> {
    await this.#prepare(signal)
    return this.session.compact({ ...(focusTopic && { focusTopic }), ...(signal && { signal }) })
  }

  /**
   * Shrinks the history until the prompt fits, permanently. Returns the sizes before and after, in tokens; equal if
   * this history was shrunk already.
   */
  async shrink({ promptTokens, limitTokens }: Refusal, signal?: AbortSignal): Promise<[number, number]> {
    const before = this.#shownTokens
    const length = this.#history?.length
    if (length === this.#refusedLength) return [before, before]
    this.#refusedLength = length
    const excess = Math.max(0, promptTokens - limitTokens)
    const least = Math.min(before, this.#room) * REFUSED_SHARE
    const target = Math.max(LEAST_ROOM, Math.min(least, before - excess))
    this.#share = Math.min(this.#share, target / this.#room)
    await this.#prepare(signal)
    return [before, this.#shownTokens]
  }

  async #prepare(signal?: AbortSignal): Promise<Shown> {
    const history = this.#history ?? []
    // Also drops the provider's last count, which includes OpenClaw's system prompt and tools; the room does not.
    const contextLength = Math.max(LEAST_ROOM, Math.floor(this.#room * this.#share))
    await this.session.updateModel({ contextLength })
    const list = history.map(({ message }) => message)
    const prepared = await this.session.prepare(list, { modelName: this.#model, signal })
    this.#history = history.map((told, index) => {
      const kept = this.session.transcript[index]
      if (kept === undefined || !equalValues(kept, told.message)) return told
      if (told.own !== undefined) this.#known.set(told.own, kept)
      return { ...told, message: kept }
    })
    this.#shownTokens = prepared.tokens
    return toShown(prepared, history)
  }

  #toTold(history: readonly AgentMessage[]): Told[] {
    return history.flatMap((own) => {
      const message = this.#read(own)
      return message === undefined ? [] : [{ own, message }]
    })
  }

  #read(own: AgentMessage): Message | undefined {
    const known = this.#known.get(own)
    if (known !== undefined) return known
    const message = fromPiMessage(own)
    if (message !== undefined) this.#known.set(own, message)
    return message
  }
}

function toShown({ messages, origins, tokens }: Prepared, history: readonly Told[]): Shown {
  const shown = messages.flatMap((message, at) => {
    const origin = origins[at]
    if (isInstruction(message)) return []
    const isSaid = origin?.from === 'transcript'
    const index = isSaid ? origin.index : origin?.from === 'summary' ? origin.of[0]?.first : 0
    const { own } = history[index ?? 0] ?? {}
    if (isSaid && origin.whole && own !== undefined) return own
    return toPiMessage(message, own ?? {}) as unknown as AgentMessage
  })
  return { messages: shown, tokens, note: messages.filter(isInstruction).map(messageText).join('\n\n') }
}

interface Told {
  readonly message: Message
  readonly own?: AgentMessage
}

/** Maximum number of messages that OpenClaw puts before a cut history, such as a first question. */
const MOST_ADDED = 2

/**
 * OpenClaw reads only the end of a transcript, eight bytes per token of the window; earlier messages are known from
 * earlier turns. Undefined if the list is not the end of the known history.
 */
function completeHistory(known: readonly Told[], list: readonly Told[]): Told[] | undefined {
  for (let added = 0; added <= Math.min(MOST_ADDED, list.length - 1); added++) {
    const rest = list.slice(added)
    for (let start = Math.max(0, known.length - rest.length); start < known.length; start++)
      if (agrees(known, start, rest)) return [...known.slice(0, start), ...rest]
  }
  return undefined
}

/** Answers at the end of the stored history may have been observed before the rest of their turn was known. */
function agrees(known: readonly Told[], start: number, list: readonly Told[]): boolean {
  for (let index = start; index < known.length; index++)
    if (!equalValues(known[index]?.message, list[index - start]?.message))
      return index > start && known.slice(index).every(({ message }) => message.role === 'assistant')
  return true
}
