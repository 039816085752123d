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

/** What the model is sent of a history. */
export interface Shown {
  readonly messages: AgentMessage[]
  readonly tokens: number
  /** What the engine says to the model in the system prompt, which OpenClaw does not show to engines. */
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
  /** The host's messages as the engine sees them, and those that were made for it. It does not change them in place. */
  readonly #known = new WeakMap<AgentMessage, Message>()
  /** The host's own message for each of the session's transcript. */
  readonly #own = new WeakMap<Message, AgentMessage>()
  /** The whole history, with the turns that were held since. */
  #history: readonly AgentMessage[] = []
  /** Messages of OpenClaw in that history. */
  #length = 0
  /** What was shown before the turn's first request. In a tool loop OpenClaw passes that, and not the history. */
  #first: readonly AgentMessage[] = []
  readonly #answers: AgentMessage[] = []
  #room = LEAST_ROOM
  /** The share of its room that a history is given: what a provider refused does not fit as it was estimated. */
  #share = 1
  #model: string | undefined
  #shownTokens = 0
  #lastKey = ''

  constructor(session: ContextSession) {
    this.session = session
  }

  /** Shows a history within so many tokens, answered by this model. */
  async show(history: readonly AgentMessage[], room: number, model: string | undefined): Promise<Shown> {
    if (model !== this.#model) this.#share = 1
    this.#model = model
    this.#room = room
    const { length } = this.#first
    const isEcho = length > 0 && this.#first.every((message, index) => equalValues(message, history[index]))
    if (isEcho) return this.#prepare([...this.#history, ...history.slice(length)])
    const shown = await this.#prepare(history)
    this.#first = shown.messages
    return shown
  }

  /**
   * Holds a turn that the host accepted, which begins at a place of the conversation. The engine is told by `settle`.
   * Behind a history that is not known, such as after a restart, there is nothing to do: the next one has the turn.
   */
  commit(key: string, from: number, turn: readonly AgentMessage[]): 'committed' | 'duplicate' {
    if (key === this.#lastKey) return 'duplicate'
    this.#lastKey = key
    this.#first = []
    if (from !== this.#length) return 'committed'
    this.#length += turn.length
    this.hold([...this.#history, ...turn], this.#history.length)
    return 'committed'
  }

  /** Holds a history whose answers from an index on are new. */
  hold(history: readonly AgentMessage[], from: number): void {
    this.#history = history
    this.#answers.push(...history.slice(from).filter(({ role }) => role === 'assistant'))
  }

  /** Tells the engine what is held, then what each answer cost, and compacts if that is due. */
  async settle(signal?: AbortSignal): Promise<void> {
    if (this.#history.length === 0) return
    await this.#prepare(this.#history, signal)
    for (const answer of this.#answers.splice(0)) {
      const message = this.#read(answer)
      const { usage } = answer as { readonly usage?: unknown }
      if (message?.role === 'assistant') await this.session.observe({ message, usage: piUsage(usage) })
    }
  }

  /** Compacts because the user asks for it. */
  async compact(focusTopic: string | undefined, signal?: AbortSignal): Promise<CompressResult> {
    await this.#prepare(this.#history, signal)
    return this.session.compact({ ...(focusTopic && { focusTopic }), ...(signal && { signal }) })
  }

  /** Takes so much from the history that the prompt fits, and keeps to that. The sizes before and after, in tokens. */
  async shrink({ promptTokens, limitTokens }: Refusal, signal?: AbortSignal): Promise<[number, number]> {
    const before = this.#shownTokens
    const excess = Math.max(0, promptTokens - limitTokens)
    const least = Math.min(before, this.#room) * REFUSED_SHARE
    const target = Math.max(LEAST_ROOM, Math.min(least, before - excess))
    this.#share = Math.min(this.#share, target / this.#room)
    await this.#prepare(this.#history, signal)
    return [before, this.#shownTokens]
  }

  async #prepare(history: readonly AgentMessage[], signal?: AbortSignal): Promise<Shown> {
    const told = history.flatMap((own) => {
      const message = this.#read(own)
      return message === undefined ? [] : [{ own, message }]
    })
    // Also forgets the provider's last count: it has OpenClaw's system prompt and tools in it, the room has not.
    const contextLength = Math.max(LEAST_ROOM, Math.floor(this.#room * this.#share))
    await this.session.updateModel({ contextLength })
    const list = told.map(({ message }) => message)
    const prepared = await this.session.prepare(list, { ...(signal && { signal }) })
    this.#remember(told)
    this.#history = this.session.transcript.flatMap((message) => this.#own.get(message) ?? [])
    if (told.length === this.session.transcript.length) this.#length = history.length
    this.#shownTokens = prepared.tokens
    return this.#toShown(prepared)
  }

  /** What the host told last stands at the end of the transcript, all of it or what is behind a projection of ours. */
  #remember(told: readonly { readonly own: AgentMessage; readonly message: Message }[]): void {
    const { transcript } = this.session
    for (const [behind, { own, message }] of [...told].reverse().entries()) {
      const kept = transcript[transcript.length - 1 - behind]
      if (kept === undefined || !equalValues(kept, message)) return
      // The same object is compared at a glance the next time.
      this.#known.set(own, kept)
      this.#own.set(kept, own)
    }
  }

  #toShown({ messages, origins, tokens }: Prepared): Shown {
    const ownAt = (index = 0): AgentMessage | undefined => {
      const message = this.session.transcript[index]
      return message && this.#own.get(message)
    }
    const shown = messages.flatMap((message, at) => {
      const origin = origins[at]
      if (isInstruction(message)) return []
      const isSaid = origin?.from === 'transcript'
      const own = isSaid ? ownAt(origin.index) : ownAt(origin?.from === 'summary' ? origin.of[0]?.first : 0)
      if (isSaid && origin.whole && own !== undefined) return own
      const made = toPiMessage(message, own ?? {}) as unknown as AgentMessage
      this.#known.set(made, message)
      return made
    })
    return { messages: shown, tokens, note: messages.filter(isInstruction).map(messageText).join('\n\n') }
  }

  #read(own: AgentMessage): Message | undefined {
    const known = this.#known.get(own)
    if (known !== undefined) return known
    const message = fromPiMessage(own)
    if (message !== undefined) this.#known.set(own, message)
    return message
  }
}
