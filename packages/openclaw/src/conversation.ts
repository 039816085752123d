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

/** Tokens that a history may always take, so that the engine has something to work with. */
const LEAST_ROOM = 1_000
/** Share of what was sent that is sent after a refusal at the most. */
const REFUSED_SHARE = 0.75

/** A history as the model is sent it. */
export interface Shown {
  readonly messages: AgentMessage[]
  readonly tokens: number
  /** The engine's note for the system prompt, which OpenClaw does not show to engines. */
  readonly note: string
}

/** A prompt that a provider refused, in tokens. */
export interface Refusal {
  readonly promptTokens: number
  readonly limitTokens: number
}

/** One conversation of OpenClaw with an engine. The history comes from OpenClaw each time: it is the truth. */
export class Conversation {
  readonly session: ContextSession
  /** The host's messages as the engine sees them. It does not change them in place. */
  readonly #known = new WeakMap<AgentMessage, Message>()
  /** The whole history, of which the host tells the end. */
  #history: readonly Told[] | undefined
  readonly #stored: () => Promise<readonly Message[]>
  /** Answers that the engine has not heard the cost of. */
  #answers: readonly AgentMessage[] = []
  #room = LEAST_ROOM
  /** The share of its room that a history is given: what a provider refused does not fit as it was estimated. */
  #share = 1
  #model: string | undefined
  /** The length of the history that a provider refused last. */
  #refusedLength: number | undefined
  #shownTokens = 0
  #lastKey = ''

  /** @param stored Reads what was stored of it before a restart. Default: nothing. */
  constructor(session: ContextSession, stored: () => Promise<readonly Message[]> = async () => []) {
    this.session = session
    this.#stored = stored
  }

  /** True for a history that goes on where this conversation's last one ended, such as in a copy of it. */
  isBehind(history: readonly AgentMessage[]): boolean {
    return !!this.#history?.length && completeHistory(this.#history, this.#toTold(history)) !== undefined
  }

  /** Shows a history within so many tokens, answered by this model. */
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
   * Takes the answers of a turn that the host accepted. Its messages come with the next history: there, calls have other ids than
   * here, and each would be stored twice.
   */
  commit(key: string, turn: readonly AgentMessage[]): 'committed' | 'duplicate' {
    if (key === this.#lastKey) return 'duplicate'
    this.#lastKey = key
    this.take(turn)
    return 'committed'
  }

  /** Takes the answers among these messages. */
  take(messages: readonly AgentMessage[]): void {
    this.#answers = [...this.#answers, ...messages.filter(({ role }) => role === 'assistant')]
  }

  /** Tells the engine what each answer cost that was taken. The last one of a turn may begin work in the background. */
  async settle(): Promise<void> {
    const answers = this.#answers
    this.#answers = []
    for (const answer of answers) {
      const message = this.#read(answer)
      const { usage } = answer as { readonly usage?: unknown }
      if (message?.role === 'assistant') await this.session.observe({ message, usage: piUsage(usage) })
    }
  }

  /** Compacts because the user asks for it. */
  async compact(focusTopic: string | undefined, signal?: AbortSignal): Promise<CompressResult> {
    await this.#prepare(signal)
    return this.session.compact({ ...(focusTopic && { focusTopic }), ...(signal && { signal }) })
  }

  /**
   * Takes so much from the history that the prompt fits, and keeps to that. The sizes before and after, in tokens: the same when this
   * history was made smaller already.
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
    // Also forgets the provider's last count: it has OpenClaw's system prompt and tools in it, the room has not.
    const contextLength = Math.max(LEAST_ROOM, Math.floor(this.#room * this.#share))
    await this.session.updateModel({ contextLength })
    const list = history.map(({ message }) => message)
    const prepared = await this.session.prepare(list, { modelName: this.#model, signal })
    // The same object is compared at a glance the next time.
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

/** A message as the engine sees it, and the host's own, which is not known of one that was read from a store. */
interface Told {
  readonly message: Message
  readonly own?: AgentMessage
}

/** Messages that OpenClaw may put at the beginning of a history that it cut, such as a first question. */
const MOST_ADDED = 2

/**
 * The whole history. OpenClaw reads the end of a transcript only, eight bytes for each token of the window: what goes before it
 * is known from earlier turns. Undefined when the list is not the end of what is known.
 */
function completeHistory(known: readonly Told[], list: readonly Told[]): Told[] | undefined {
  for (let added = 0; added <= Math.min(MOST_ADDED, list.length - 1); added++) {
    const rest = list.slice(added)
    for (let start = Math.max(0, known.length - rest.length); start < known.length; start++)
      if (agrees(known, start, rest)) return [...known.slice(0, start), ...rest]
  }
  return undefined
}

/** True when everything that is known from an index on is the beginning of the list. */
function agrees(known: readonly Told[], start: number, list: readonly Told[]): boolean {
  for (let index = start; index < known.length; index++)
    if (!equalValues(known[index]?.message, list[index - start]?.message)) return false
  return true
}
