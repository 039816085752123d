import type { CompressResult, LastCompaction, Message, ToolSchema, Usage, Warning } from '@palimpsest/core'

/** A coding agent in conversation with one person. Its owner calls one method at a time. */
export interface ChatAgent {
  /** The session's id: what `--resume` takes. */
  readonly id: string
  readonly facts: ChatFacts
  /** Everything that was said in this conversation, without the system prompt. Frozen. */
  readonly history: readonly Message[]
  /**
   * Says something, and resolves when the turn is over. An abort ends it cleanly: what was said until then stays, every
   * call of a tool has a result, and the next turn goes on from there. Rejects with a `ModelError` or another
   * `PalimpsestError` when the model cannot answer; the question and what was said stay, and `retry` asks again.
   */
  say(text: string, options: TurnOptions): Promise<TurnEnd>
  /** Asks the last question again, after a turn that failed or was stopped. Undefined when there is none. */
  retry(options: TurnOptions): Promise<TurnEnd> | undefined
  /** Whether `retry` has a question to ask again. */
  hasQuestion(): boolean
  /** Compacts now. */
  compress(focus: string | undefined, signal: AbortSignal): Promise<CompressResult>
  /** Puts back into the prompt what the last compaction took out of it; undefined when there is none to undo. */
  uncompress(): Promise<LastCompaction | undefined>
  /** Takes the last turn back and returns what the user had said in it; undefined when there is none. Files stay as they are. */
  undo(): Promise<string | undefined>
  /** Ends this session and begins a new one, with a new id. */
  begin(): Promise<void>
  /** Puts words that were just said on record as decided. Says what came of it, for the person. */
  decide(text: string, signal: AbortSignal): Promise<string>
  status(): ChatStatus
  /** The next request, as the model will see it. */
  context(signal: AbortSignal): Promise<ChatContext>
  /** May be called more than once. */
  close(): Promise<void>
}

export interface ChatFacts {
  readonly engine: string
  /** The engine with who chose it, as a line. */
  readonly engineLine: string
  /** As `provider:model`, or `offline`. */
  readonly model: string
  /** True when nothing but the assembled context answers. */
  readonly offline: boolean
  /** The folder that tools work in: an absolute path. */
  readonly workspace: string
  /** In tokens. */
  readonly window: number
  /** The status line of prompt caching. */
  readonly caching: string
  readonly summaries: string
  /** About the engine or the session, before the first turn: one sentence each. */
  readonly warnings: readonly string[]
}

export interface TurnOptions {
  readonly signal: AbortSignal
  readonly on: (event: ChatEvent) => void
}

export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-start'; readonly id: string; readonly name: string; readonly summary: string }
  | {
      readonly type: 'tool-end'
      readonly id: string
      readonly name: string
      readonly ok: boolean
      readonly result: string
    }
  | { readonly type: 'compaction'; readonly trigger: string; readonly result: CompressResult }
  | { readonly type: 'warning'; readonly warning: Warning }
  | { readonly type: 'usage'; readonly usage: Usage }

export interface TurnEnd {
  readonly reason: 'answered' | 'stopped' | 'cut-off' | 'filtered' | 'too-many-rounds'
  readonly text: string
}

/** A question before something that cannot be taken back. */
export interface Confirmation {
  /** `run`: a command; `write` and `edit`: a file. */
  readonly kind: 'run' | 'write' | 'edit'
  /** The command, or the path relative to the workspace. */
  readonly subject: string
  /** The change, as a unified diff; absent for a command. */
  readonly diff?: string
}

/** `always`: this kind is not asked about again in this session; for `run`, this very command. */
export type Consent = 'yes' | 'always' | 'no'

export type Confirm = (question: Confirmation, signal: AbortSignal) => Promise<Consent>

export interface ChatStatus {
  readonly messages: number
  readonly turns: number
  /** The last prompt, in tokens; 0 before the first. */
  readonly promptTokens: number
  /** From here on the engine compacts, in tokens. */
  readonly threshold: number
  /** Of this run of the program. */
  readonly compactions: number
  /** Where the conversation is kept. */
  readonly file: string
  readonly costs: ChatCosts
}

/** All requests of this run of the program together, in tokens. */
export interface ChatCosts {
  readonly requests: number
  readonly promptTokens: number
  /** Part of `promptTokens`. */
  readonly cachedTokens: number
  readonly completionTokens: number
  /** In US dollars; null when the model's prices are not known. */
  readonly usd: number | null
  /** Requests whose usage the provider did not report: they are in no figure. */
  readonly unreported: number
}

export interface ChatContext {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  readonly tokens: number
}
