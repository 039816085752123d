import type { EngineDefinition } from '@palimpsest/core'

/** A conversation that the suite wants to have through an adapter. */
export interface HostSetup {
  /** The engine to put to work. The suite brings it. */
  readonly engine: EngineDefinition
  /** The model's window, in tokens. */
  readonly contextLength: number
  /** Names the conversation. The same one after a restart goes on. */
  readonly sessionId: string
  /** A folder of its own for whatever the host stores. It outlives a restart. */
  readonly storage: string
  /** A provider on loopback that speaks Chat Completions, streamed and whole: the framework's own client asks it. */
  readonly provider: { readonly baseUrl: string; readonly apiKey: string; readonly model: string }
  /** Tools of the application. */
  readonly tools: readonly HostTool[]
}

export interface HostTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Returns the text of the result. */
  run(args: Readonly<Record<string, unknown>>): Promise<string>
}

/** One conversation of a framework with the adapter in it. */
export interface HostConversation {
  /** Says something, and lets the framework run until the model has answered. Resolves to the text of the answer. */
  send(text: string, options?: { readonly signal?: AbortSignal }): Promise<string>
  /** The framework's own history, as JSON text: everything that was said, called and returned must be found in it. */
  history(): Promise<string>
  /** Ends it and releases what it holds. What is stored stays. */
  close(): Promise<void>
}

/** An adapter for a framework, as its author hands it to the suite. */
export interface HostTarget {
  /** Its name in reports, such as `LangChain`. */
  readonly name: string
  /** Opens a conversation, or goes on with a stored one. */
  open(setup: HostSetup): Promise<HostConversation>
  /** Cases that are left out, by id, each with the reason, which is printed. */
  readonly skip?: Readonly<Record<string, string>>
}
