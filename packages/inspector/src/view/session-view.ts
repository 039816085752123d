/**
 * A session's data for the page, as plain JSON. `messages`, `requests` and `compactions` only grow, so that an open
 * page can fetch changes (`ViewDelta`).
 */
export interface SessionView {
  readonly format: 1
  readonly id: string
  /** The file's name, or the start of the conversation. */
  readonly title: string
  readonly source: ViewSource
  /** The engine, with the engine that compacts inside it: `decisions over lcm`. */
  readonly engine: string
  /** The answering model, as `provider:model`; null if unknown. */
  readonly model: string | null
  /** The writer of the summaries, for people. Absent for a session that was not watched. */
  readonly summaries?: string
  readonly window: number
  /** Prompt size from which the engine compacts, in the provider's tokens. */
  readonly threshold: number
  /**
   * The program's command that shows the session again, with the path quoted for a shell: `replay '/tmp/a.jsonl'`. Absent
   * if there is none or the path is left out.
   */
  readonly command?: string
  /** Milliseconds since the epoch; null if the recording has no times. */
  readonly startedAt: number | null
  /** True if the session may continue. */
  readonly isLive: boolean
  /**
   * Every message that was said or shown, once, in order. Of several with one `seq`, except `shortened` ones, the last
   * is current.
   */
  readonly messages: readonly ViewMessage[]
  readonly requests: readonly ViewRequest[]
  readonly compactions: readonly ViewCompaction[]
  /** The summaries and what they cover; empty if there are none. */
  readonly summaryNodes: readonly ViewSummaryNode[]
  /** Null if the engine keeps no decisions. */
  readonly decisions: readonly ViewDecision[] | null
  /** True if a model reads decisions; absent if the engine reads none or the session was not watched. */
  readonly hasReader?: boolean
  /** The whole bill; null if the model's prices are unknown. */
  readonly bill: ViewBill | null
  readonly warnings: readonly ViewWarning[]
  /** A model's recorded answers at the end of the session. */
  readonly answers?: ViewAnswers
}

export type ViewSource = 'replay' | 'chat' | 'gateway' | 'service' | 'host'

export type TokenKind = 'tools' | 'system' | 'decisions' | 'summaries' | 'head' | 'tail'

export interface ViewMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  /** `decisions`: an engine's note about them. `shortened`: a partly shown message of the transcript. */
  readonly kind: 'system' | 'decisions' | 'summary' | 'message' | 'shortened'
  readonly text: string
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly isInserted?: true
  readonly callId?: string
  readonly isError?: true
  readonly reasoning?: string
  /** Parts other than text, such as `image` or `file`. */
  readonly attachments?: readonly string[]
  readonly tokens: number
  /** Index of the whole message in the transcript; null for an engine's message. */
  readonly seq: number | null
  readonly at?: number
}

export interface ViewRequest {
  readonly transcript: number
  readonly kept: number
  readonly added: readonly number[]
  readonly tokens: Readonly<Record<TokenKind, number>>
  /**
   * The size of the request without an engine, in tokens: the whole history and the host's own tools. The first prompts
   * may be larger.
   */
  readonly without: number
  /** The provider's count of the prompt, by which the engine decides. Absent if it was not reported. */
  readonly reported?: number
  readonly cache: ViewCache | null
}

/**
 * Cache use of a prompt, in tokens. The sum may differ from `ViewRequest.tokens`, because it uses the provider's
 * counts.
 */
export interface ViewCache {
  readonly read: number
  readonly written: number
  readonly uncached: number
  readonly usd: number | null
}

export interface ViewCompaction {
  readonly request: number
  readonly trigger: string
  readonly outcome: 'compacted' | 'unchanged' | 'aborted' | 'deferred'
  readonly reason: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly kept: string
  readonly limits?: Pick<SessionView, 'window' | 'threshold'>
}

/** A summary and what it covers. */
export interface ViewSummaryNode {
  readonly id: string
  /** 0 for a summary of messages; one more than its deepest child otherwise. */
  readonly depth: number
  /** The covered places of the transcript, both ends inclusive. */
  readonly first: number
  readonly last: number
  /** The host removed covered messages, so other messages may now have these places. */
  readonly isReplaced?: true
  /** The summaries that it condenses, in order. */
  readonly children: readonly string[]
  readonly text: string
  readonly tokens: number
  readonly sourceTokens: number
  readonly writer: string
  readonly at: number | null
  /** True if it is in the context now. */
  readonly isShown: boolean
}

export interface ViewDecision {
  readonly id: string
  readonly category: string
  readonly subject: string
  readonly value: string
  /** The one-line form; `l1` is the detailed one. */
  readonly l0: string
  readonly l1?: string
  readonly status: string
  readonly authority: string
  readonly reason?: string
  readonly sources: readonly ViewSourceSpan[]
  readonly supersedes: readonly string[]
  readonly supersededBy: readonly string[]
  readonly contestedBy: readonly string[]
}

export interface ViewSourceSpan {
  readonly turn: number
  readonly role: string
  readonly quote: string
  /** Index in the transcript; null if it is not in this session. */
  readonly seq: number | null
}

/** Recorded answers of a model that read only one prompt: a client's without an engine, and one with the engine. */
export interface ViewAnswers {
  readonly recorded: string
  readonly by: string
  /** The end of the session, as sent by a client without an engine that drops old messages. */
  readonly without: ViewAnswerer
  readonly with: ViewAnswerer
  readonly questions: readonly ViewQuestion[]
}

export interface ViewAnswerer {
  readonly tokens: number
  readonly right: number
}

export interface ViewQuestion {
  readonly question: string
  readonly expected: string
  readonly seq: number
  readonly without: ViewAnswer
  readonly with: ViewAnswer
}

export interface ViewAnswer {
  readonly text: string
  readonly mark: 0 | 0.5 | 1
}

/** A session's cost, in US dollars. The agent's answers cost the same with and without an engine and are left out. */
export interface ViewBill {
  readonly model: string
  /** The date of the prices, as YYYY-MM-DD. */
  readonly asOf: string
  /**
   * The price without an engine: the whole history in each request, with the same caching. Null beyond 10,000 messages.
   */
  readonly without: number | null
  /** The price with the engine: the prompts as sent, and the summaries. */
  readonly with: number
  /** The share of the engine's own tool schemas, which every prompt carries. */
  readonly tools: number
  readonly summaries: ViewSummaryCost
  /** Share of the sent prompts' tokens that the cache served, 0 to 1. */
  readonly cacheReadShare: number
  /** The provider's counts, with answers separate. Absent if it reported none. */
  readonly reported?: { readonly prompts: number; readonly answers: number }
}

export interface ViewSummaryCost {
  /**
   * Counts requests to a model: those that were paid for, else those that the engine counts, else one per compaction
   * that made a summary.
   */
  readonly requests: number
  readonly usd: number
  readonly isPaid: boolean
}

export interface ViewWarning {
  readonly request: number
  readonly code: string
  readonly message: string
}

type ViewLists = Pick<SessionView, 'messages' | 'requests' | 'compactions' | 'warnings'>

export type ViewFacts = Omit<SessionView, 'format' | 'id' | keyof ViewLists>

/** Changes of a view: for each list, an index at which to cut and the items to append, and the changed facts. */
export type ViewDelta = {
  readonly [Name in keyof ViewLists]: ViewListDelta<ViewLists[Name][number]>
} & { readonly facts: Partial<ViewFacts> }

export interface ViewListDelta<T> {
  readonly from: number
  readonly items: readonly T[]
}

export type FeedEvent =
  | { readonly sessions: readonly ViewSummary[] }
  | { readonly view: SessionView }
  | { readonly delta: ViewDelta }

/** An entry in the list of sessions. */
export interface ViewSummary {
  readonly id: string
  readonly title: string
  readonly source: ViewSource
  readonly engine: string
  readonly model: string | null
  readonly isLive: boolean
  readonly startedAt: number | null
  readonly requests: number
  readonly messages: number
  readonly compactions: number
  /** Size of the last prompt, in tokens. */
  readonly tokens: number
  readonly window: number
  /** Set if the session was not watched: its messages are stored, its requests are not. */
  readonly isStored?: true
  /** Set for a recording that was not read yet; of its figures, only the agent's own compactions are known. */
  readonly recording?: { readonly agent: string; readonly folder: string | null; readonly bytes: number }
}

/** The data embedded in a page that is a file. */
export interface PageFile {
  readonly format: 1
  readonly version: string
  /** True if secrets were removed. Default false: the page warns that it may show some. */
  readonly isRedacted?: boolean
  readonly views: readonly SessionView[]
}
