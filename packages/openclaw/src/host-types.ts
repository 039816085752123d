/**
 * The used part of OpenClaw's plug-in interface, version 2026.9.6. OpenClaw takes 331 MB and is not a dependency; a
 * test checks these types against its own, both ways.
 */

export interface AgentMessage {
  readonly role: string
}

export interface LlmCall {
  readonly messages: { role: 'user'; content: string }[]
  readonly systemPrompt?: string
  readonly maxTokens?: number
  readonly model?: string
  readonly signal?: AbortSignal
  readonly purpose?: string
}

export interface LlmAnswer {
  readonly text: string
  readonly stopReason?: string
  readonly usage: {
    readonly inputTokens?: number
    readonly outputTokens?: number
    readonly cacheReadTokens?: number
    readonly cacheWriteTokens?: number
  }
}

export interface Llm {
  complete(call: LlmCall): Promise<LlmAnswer>
}

/** A session id belongs to one transcript; a session key outlives `/new`. */
export interface SessionName {
  readonly sessionId: string
  readonly sessionKey?: string
}

interface RuntimeContext {
  readonly llm?: Llm
  readonly [other: string]: unknown
}

export interface AssembleCall extends SessionName {
  readonly messages: AgentMessage[]
  readonly tokenBudget?: number
  readonly model?: string
  readonly availableTools?: Set<string>
  readonly citationsMode?: 'auto' | 'on' | 'off'
  readonly runtimeSettings?: {
    readonly limits: { readonly promptTokenBudget: number | null; readonly maxOutputTokens: number | null }
  }
  readonly runtimeContext?: RuntimeContext
}

interface AssembleResult {
  // biome-ignore lint/suspicious/noExplicitAny: OpenClaw has a type for each kind of message. Here they are all one.
  messages: any[]
  estimatedTokens: number
}

export interface CompactCall extends SessionName {
  readonly sessionKey: string
  readonly tokenBudget?: number
  readonly currentTokenCount?: number
  readonly customInstructions?: string
  readonly runtimeContext?: RuntimeContext
  readonly abortSignal?: AbortSignal
}

export interface CompactResult {
  ok: boolean
  compacted: boolean
  reason?: string
  result?: { tokensBefore: number; tokensAfter?: number }
}

export interface LifecycleCall extends SessionName {
  readonly runtimeContext?: RuntimeContext
  readonly abortSignal?: AbortSignal
}

interface CommitCall extends SessionName {
  readonly advancementKey: string
  readonly messages: AgentMessage[]
  readonly runtimeContext?: RuntimeContext
}

interface TurnCall extends SessionName {
  readonly messages: AgentMessage[]
  readonly prePromptMessageCount: number
  readonly runtimeContext?: RuntimeContext
}

export interface HostContextEngine {
  readonly info: {
    id: string
    name: string
    ownsCompaction: boolean
    turnMaintenanceMode: 'background'
    transcriptSemantics: {
      currentTurnFence: 'before-current-turn-entry-v1'
      turnAdvancementIdempotency: 'atomic-idempotent-v1'
    }
  }
  bootstrap(call: LifecycleCall): Promise<{ bootstrapped: boolean }>
  ingest(call: SessionName & { readonly message: AgentMessage }): Promise<{ ingested: boolean }>
  assemble(call: AssembleCall): Promise<AssembleResult>
  compact(call: CompactCall): Promise<CompactResult>
  commitTurn(call: CommitCall): Promise<{ status: 'committed' | 'duplicate' }>
  afterTurn(call: TurnCall): Promise<void>
  maintain(call: LifecycleCall): Promise<{ changed: boolean; bytesFreed: number; rewrittenEntries: number }>
  onSubagentEnded(call: { readonly childSessionKey: string }): Promise<void>
  dispose(): Promise<void>
}

export interface AgentTool {
  name: string
  label: string
  description: string
  // biome-ignore lint/suspicious/noExplicitAny: OpenClaw types a JSON Schema as TypeBox's, which any object may be.
  parameters: any
  execute(
    toolCallId: string,
    params: unknown,
    signal?: AbortSignal,
  ): Promise<{ content: { type: 'text'; text: string }[]; details: unknown }>
}

export interface ToolContext {
  readonly sessionId?: string
  readonly sessionKey?: string
  readonly agentDir?: string
}

export interface PluginApi {
  readonly id: string
  readonly pluginConfig?: Record<string, unknown>
  readonly logger: { info(message: string): void; warn(message: string): void }
  readonly runtime: { readonly llm: Llm; readonly state: { resolveStateDir(): string } }
  registerTool(create: (context: ToolContext) => AgentTool[] | null, options: { names: string[] }): void
  registerContextEngine(id: string, create: (context: { agentDir?: string }) => HostContextEngine): void
  registerService(service: { id: string; start(): void; stop(): Promise<void> }): void
}
