import type {
  AssistantMessage,
  Clock,
  CompletionModel,
  Message,
  TokenCounter,
  ToolSchema,
} from '@palimpsest/core'

/** Something that decides what a model is shown of a conversation: one of our engines, a peer, a floor or a ceiling. */
export interface Arm {
  readonly name: string
  /** One sentence for the report, with the settings. */
  readonly description: string
  /** `engine`: one of ours. `peer`: a package of others. `bound`: what no engine is better or worse than, or the tail. */
  readonly kind: 'engine' | 'peer' | 'bound'
  readonly searches: readonly Search[]
  open(input: OpenInput): Promise<OpenedArm> | OpenedArm
}

export interface Search {
  readonly tool: string
  arguments(words: string): object
}

export interface OpenInput {
  readonly sessionId: string
  /** Tokens that the messages of a prompt may take. */
  readonly budget: number
  readonly tokens: TokenCounter
  /** Writes summaries. Default: each arm's offline summariser, which is the same one. */
  readonly model?: CompletionModel
  /** Default: one that starts at a fixed time and moves a millisecond a reading. */
  readonly clock?: Clock
}

export interface OpenedArm {
  /** The prompt for a transcript. Transcripts of later calls begin with those of earlier ones. */
  project(transcript: readonly Message[]): Promise<Projection>
  answered(message: AssistantMessage): Promise<void>
  callTool(name: string, args: object): Promise<string>
  end(): Promise<void>
}

export interface Projection {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  readonly compacted: boolean
  /** Tokens that the arm itself would send: what is above the budget is cut from `messages`. Default: those of `messages`. */
  readonly needed?: number
  readonly warnings: readonly string[]
}
