import { markErrors, PalimpsestError } from './palimpsest-error.ts'

/** A part of a prompt that a host can do something about: one message, or all tools. */
export interface PromptPart {
  readonly kind: 'message' | 'tools'
  readonly tokens: number
  /** Index in the host's list. Absent for tools, and for what an engine wrote. */
  readonly index?: number
  readonly role?: string
  /** True for the last message of the user, which is sent verbatim. */
  readonly isLastUser?: boolean
  /** The tool that was called, and the id of the call: for a result, and for a message with one call. */
  readonly toolName?: string
  readonly toolCallId?: string
}

/** The prompt does not fit, and compacting harder did not help. Code `CONTEXT_OVERFLOW`. */
export class ContextOverflowError extends PalimpsestError {
  static override readonly isInstance = markErrors<ContextOverflowError>(
    ContextOverflowError,
    'core.context-overflow',
  )

  /** The size of the prompt, in tokens. */
  readonly tokens: number
  /** The room for it, in tokens. */
  readonly limit: number
  /** The largest part, after everything was cut that may be cut. Absent when there was no prompt yet. */
  readonly largest?: PromptPart

  constructor(
    tokens: number,
    limit: number,
    message: string,
    { largest, ...options }: { readonly cause?: unknown; readonly largest?: PromptPart } = {},
  ) {
    super('CONTEXT_OVERFLOW', message, options)
    this.tokens = tokens
    this.limit = limit
    if (largest !== undefined) this.largest = largest
  }
}
