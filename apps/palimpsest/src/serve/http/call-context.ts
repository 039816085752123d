/** What travels with a call through the application. */
export interface CallContext {
  readonly Variables: {
    /** Aborts at the time limit, when the caller goes away, and when a shutdown cannot wait any longer. */
    signal: AbortSignal
    /** What the log says of the call, besides its path and status. */
    noted: { session?: string; tokens?: string }
  }
}
