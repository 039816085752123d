/** Every default of this package. */
export const LANGCHAIN_DEFAULTS = {
  /** Sessions in memory: enough for the threads of a busy process, few enough for their histories. */
  maxSessions: 100,
  /** Milliseconds until a summary has failed. As long as the other model packages wait. */
  timeoutMs: 600_000,
} as const
