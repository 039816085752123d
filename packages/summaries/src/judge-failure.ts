import { ModelError, type ModelErrorKind } from '@palimpsest/core'

/**
 * Failures after which everything is kept while there is room: they say nothing about the conversation, and a
 * later try has a good chance. Every other failure is answered with a summary without a model. See `docs/decisions/0006`.
 */
const KEEP_AND_WAIT: ReadonlySet<ModelErrorKind> = new Set([
  'auth',
  'quota',
  'network',
  'timeout',
  'overloaded',
  'truncated',
  'empty',
])

/** Seconds before the model is asked again, by how many times in a row it failed. The last one stays. */
const COOLDOWN_SECONDS: Readonly<Partial<Record<ModelErrorKind, readonly number[]>>> = {
  auth: [600],
  quota: [60, 300, 900],
  timeout: [60, 300, 900],
  truncated: [60, 300, 900],
  empty: [30],
}
const DEFAULT_COOLDOWN_SECONDS = [60] as const

/** The consequence of a failed summary for the compaction. */
export interface Failure {
  readonly kind: ModelErrorKind
  readonly message: string
  /** True when keeping everything is better than a summary without a model. */
  readonly keep: boolean
  /** Milliseconds in which the model is not asked again. */
  readonly cooldownMs: number
}

/** Judges what a summariser threw. `streak` counts failures in a row, this one included. */
export function judgeFailure(error: unknown, streak: number): Failure {
  const model = ModelError.isInstance(error) ? error : undefined
  const kind = model?.kind ?? 'unknown'
  const ladder = COOLDOWN_SECONDS[kind] ?? DEFAULT_COOLDOWN_SECONDS
  const seconds = ladder[Math.min(streak, ladder.length) - 1] ?? DEFAULT_COOLDOWN_SECONDS[0]
  return {
    kind,
    message: error instanceof Error ? error.message : String(error),
    keep: KEEP_AND_WAIT.has(kind),
    cooldownMs: Math.max(seconds * 1000, model?.retryAfterMs ?? 0),
  }
}
