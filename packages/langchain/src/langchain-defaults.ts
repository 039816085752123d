/** The defaults of this package. */
export const LANGCHAIN_DEFAULTS = {
  /** Maximum number of sessions in memory: enough for a busy process's threads, few enough for their histories. */
  maxSessions: 100,
  /** Time limit of a summary in milliseconds, as in the other model packages. */
  timeoutMs: 600_000,
} as const
