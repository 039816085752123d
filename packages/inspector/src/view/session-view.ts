/**
 * The data of one session for the page, as plain JSON. `messages`, `requests` and `compactions` only grow, so that an open
 * page takes what is new (`ViewDelta`).
 */
export interface SessionView {
  readonly format: 1
  /** Unique among the views of one page. */
  readonly id: string
  /** For people: the file's name, or how the conversation began. */
  readonly title: string
  readonly source: ViewSource
  /** With the engine that compacts inside it, if that is another one: `decisions over lcm`. */
  readonly engine: string
  /** The model that answers, as `provider:model`; null when unknown. */
  readonly model: string | null
  /** The model's window, in tokens. */
  readonly window: number
  /** From here on the engine compacts, in tokens, as the provider counts them. */
  readonly threshold: number
  /** Milliseconds since the epoch; null when the recording has no times. */
  readonly startedAt: number | null
  /** Whether more may come. */
  readonly isLive: boolean
  /**
   * Every message that was said or shown, once, in order. Of several with one `seq`, `shortened` ones aside, the last stands
   * there now.
   */
  readonly messages: readonly ViewMessage[]
  readonly requests: readonly ViewRequest[]
  readonly compactions: readonly ViewCompaction[]
  /** The summaries and what they stand for; empty when there are none yet. */
  readonly summaryNodes: readonly ViewSummaryNode[]
  /** Null for an engine that keeps no decisions. */
  readonly decisions: readonly ViewDecision[] | null
  /** The state of extraction; absent for an engine that reads no decisions, and for a session that was not watched. */
  readonly reading?: ViewReading
  /** The whole bill; null when there are no prices for the model. */
  readonly bill: ViewBill | null
  readonly warnings: readonly ViewWarning[]
  /** What a model answered at the end of the session, where that was recorded. */
  readonly answers?: ViewAnswers
}

export type ViewSource = 'replay' | 'chat' | 'gateway' | 'service' | 'host'

export interface ViewReading {
  /** Without a model nothing is read. */
  readonly hasModel: boolean
  /** Counts of the model's entries that the engine rejected, by reason. */
  readonly refused: Readonly<Record<string, number>>
}

/** The parts of a prompt. */
export type TokenKind = 'tools' | 'system' | 'decisions' | 'summaries' | 'head' | 'tail'

export interface ViewMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  /** `decisions`: an engine's notes of them. `shortened`: a message of the transcript that the engine shows in part. */
  readonly kind: 'system' | 'decisions' | 'summary' | 'message' | 'shortened'
  /** The text, byte for byte; parts are joined with a line break. */
  readonly text: string
  /** Calls of tools, with the arguments as the model wrote them. */
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  /** Of a message in the user's role: the host put it there, and the user did not say it. */
  readonly isInserted?: true
  /** Of a tool's result: the call that it answers. */
  readonly callId?: string
  /** Of a tool's result: the tool failed, by what was recorded of it. */
  readonly isError?: true
  /** The model's reasoning before it, where that was recorded as text. */
  readonly reasoning?: string
  /** Parts that are not text, such as `image` or `file`. */
  readonly attachments?: readonly string[]
  readonly tokens: number
  /** Place in the transcript, from 0, of the whole message; null for what an engine wrote. */
  readonly seq: number | null
  /** Milliseconds since the epoch. */
  readonly at?: number
}

/** One request to the model. Requests are numbered from 1 for people: this list's index + 1. */
export interface ViewRequest {
  /** Messages of the transcript at that time. */
  readonly transcript: number
  /** Number of messages at the beginning that are those of the request before. */
  readonly kept: number
  /** Indexes in `messages` of what follows them. None of them stands twice in one request. */
  readonly added: readonly number[]
  /** The prompt in tokens by what it is. */
  readonly tokens: Readonly<Record<TokenKind, number>>
  /**
   * The prompt without an engine: the whole history with the host's own tools, in tokens. The first prompts may be larger
   * than this.
   */
  readonly without: number
  /** The prompt as the provider counted it, in its tokens: by these the engine decides. Absent where it did not say. */
  readonly reported?: number
  /** As the provider reported it, or as planned where no provider was asked. Null: unknown. */
  readonly cache: ViewCache | null
}

/** A prompt in the provider's cache, in tokens. The sum may differ from `ViewRequest.tokens`: providers count as they bill. */
export interface ViewCache {
  readonly read: number
  readonly written: number
  readonly uncached: number
  /** The prompt, in US dollars; null without prices. */
  readonly usd: number | null
}

export interface ViewCompaction {
  /** Index in `requests` of the request that it was made for, which may be yet to come. */
  readonly request: number
  readonly trigger: string
  readonly outcome: 'compacted' | 'unchanged' | 'aborted' | 'deferred'
  readonly reason: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** A description of the kept and the summarised, for people. */
  readonly kept: string
  /** Of the engine when it decided, in tokens as the provider counts them. Absent where that is not known. */
  readonly limits?: Pick<SessionView, 'window' | 'threshold'>
}

/** A summary and what it stands for. */
export interface ViewSummaryNode {
  readonly id: string
  /** 0: made from messages; else one more than its deepest child. */
  readonly depth: number
  /** Places in the transcript that it covers, both ends inclusive. */
  readonly first: number
  readonly last: number
  /** The host took back messages that it covers: what stands at these places now is not what it was made from. */
  readonly isReplaced?: true
  /** Summaries that it was made from, in order. */
  readonly children: readonly string[]
  readonly text: string
  readonly tokens: number
  /** Tokens of the messages that it covers. */
  readonly sourceTokens: number
  /** Its writer. */
  readonly writer: string
  readonly at: number | null
  /** Whether it stands in the context now. */
  readonly isShown: boolean
}

export interface ViewDecision {
  readonly id: string
  readonly category: string
  readonly subject: string
  readonly value: string
  /** In one line, and in detail. */
  readonly l0: string
  readonly l1?: string
  readonly status: string
  readonly authority: string
  readonly reason?: string
  /** Where it was said, the deciding place first. */
  readonly sources: readonly ViewSourceSpan[]
  /** Ids. */
  readonly supersedes: readonly string[]
  readonly supersededBy: readonly string[]
  readonly contestedBy: readonly string[]
}

export interface ViewSourceSpan {
  readonly turn: number
  readonly role: string
  readonly quote: string
  /** Place in the transcript; null when it is not in this session. */
  readonly seq: number | null
}

/** Recorded answers of a model that read one prompt and nothing else: what a client sends without an engine, and with it. */
export interface ViewAnswers {
  /** YYYY-MM-DD. */
  readonly recorded: string
  /** Who answered and who marked. */
  readonly by: string
  /** Without an engine: the end of the session, as a client sends it that drops old messages. */
  readonly without: ViewAnswerer
  readonly with: ViewAnswerer
  /** The first ones are shown, the others on demand. */
  readonly questions: readonly ViewQuestion[]
}

export interface ViewAnswerer {
  /** Of the prompt. */
  readonly tokens: number
  /** Sum of the marks. */
  readonly right: number
}

export interface ViewQuestion {
  readonly question: string
  /** The right answer. */
  readonly expected: string
  /** Place in the transcript of the message that says it. */
  readonly seq: number
  readonly without: ViewAnswer
  readonly with: ViewAnswer
}

export interface ViewAnswer {
  readonly text: string
  /** 1: right; 0.5: in part; 0: wrong or not known. */
  readonly mark: 0 | 0.5 | 1
}

/** What a session costs, in US dollars. The agent's answers cost the same with an engine and without: they are left out. */
export interface ViewBill {
  /** The model whose prices these are. */
  readonly model: string
  /** The day of the prices, as YYYY-MM-DD. */
  readonly asOf: string
  /** Without an engine: the whole history with each request, with the same caching. Null beyond 10,000 messages. */
  readonly without: number | null
  /** With the engine: the prompts as they were sent, and the summaries. */
  readonly with: number
  readonly summaries: ViewSummaryCost
  /** Of the tokens of the prompts that were sent, 0 to 1. */
  readonly cacheReadShare: number
  /** By what the provider counted, answers apart. Absent where it reported nothing. */
  readonly reported?: { readonly prompts: number; readonly answers: number }
}

/** The part of a bill that pays for summaries, and for what a model reads of decisions. */
export interface ViewSummaryCost {
  /** Summaries that were written, where the engine counts them, else compactions that made one. */
  readonly count: number
  readonly usd: number
  /** True for what the models reported that wrote them; false for what the session's model would charge. */
  readonly isPaid: boolean
}

export interface ViewWarning {
  /** Index in `requests`. */
  readonly request: number
  readonly code: string
  readonly message: string
}

type ViewLists = Pick<SessionView, 'messages' | 'requests' | 'compactions' | 'warnings'>

/** Everything of a view but its lists that grow. */
export type ViewFacts = Omit<SessionView, 'format' | 'id' | keyof ViewLists>

/** The changes of a view: the rest of each list from an index on, where a page cuts and appends, and the facts that changed. */
export type ViewDelta = {
  readonly [Name in keyof ViewLists]: ViewListDelta<ViewLists[Name][number]>
} & { readonly facts: Partial<ViewFacts> }

export interface ViewListDelta<T> {
  readonly from: number
  readonly items: readonly T[]
}

/** What a stream says. Of a session the whole comes first, then its changes. */
export type FeedEvent =
  | { readonly sessions: readonly ViewSummary[] }
  | { readonly view: SessionView }
  | { readonly delta: ViewDelta }

/** One line of the list of sessions. */
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
  /** The last prompt, in tokens. */
  readonly tokens: number
  readonly window: number
  /** Nothing watches it: what was said is stored, its requests are not. */
  readonly isStored?: true
  /** A recording that was not read yet: of its figures, only the compactions of its agent are known. */
  readonly recording?: { readonly agent: string; readonly folder: string | null; readonly bytes: number }
}

/** The data in a page that was written into a file. */
export interface PageFile {
  readonly format: 1
  /** The program's version. */
  readonly version: string
  /** Whether secrets were taken out of it. Default false: the page says that it may show some. */
  readonly isRedacted?: boolean
  readonly views: readonly SessionView[]
}
