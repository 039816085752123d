import type { EngineDefinition } from '@palimpsest/core'

/** A conversation that the suite has through an adapter. */
export interface HostSetup {
  /** The engine to use, from the suite. */
  readonly engine: EngineDefinition
  /** The model's window, in tokens. */
  readonly contextLength: number
  /** Identifies the conversation, which continues after a restart. */
  readonly sessionId: string
  /** A private folder for the host's data, which survives a restart. */
  readonly storage: string
  /** A provider on loopback with Chat Completions, streamed and whole, for the framework's own client. */
  readonly provider: { readonly baseUrl: string; readonly apiKey: string; readonly model: string }
  /** Tools of the application. */
  readonly tools: readonly HostTool[]
}

export interface HostTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Returns the result's text. */
  run(args: Readonly<Record<string, unknown>>): Promise<string>
}

/** A conversation in a framework with the adapter. */
export interface HostConversation {
  /** Sends a text, and lets the framework run until the model has answered. Resolves to the answer's text. */
  send(text: string, options?: { readonly signal?: AbortSignal }): Promise<string>
  /** The framework's own history as JSON text, which must contain everything that was said, called and returned. */
  history(): Promise<string>
  /** Ends it and frees its resources. Stored data stays. */
  close(): Promise<void>
}

/** An adapter for a framework, as its author gives it to the suite. */
export interface HostTarget {
  /** Its name in reports, such as `LangChain`. */
  readonly name: string
  /** Opens a conversation, or continues a stored one. */
  open(setup: HostSetup): Promise<HostConversation>
  /** Cases to skip, by id, with the reason that is printed. */
  readonly skip?: Readonly<Record<string, string>>
}
