import type { NodeRequest } from '@palimpsest/gateway'

export interface CallContext {
  readonly Bindings: NodeRequest
  readonly Variables: {
    /** Aborts at the time limit, when the caller goes away, and when a shutdown cannot wait any longer. */
    signal: AbortSignal
    /** For the log, besides path and status. */
    noted: { session?: string; tokens?: string }
  }
}
