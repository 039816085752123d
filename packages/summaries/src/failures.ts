import { type CompletionModel, ModelError, type ModelErrorKind, type Warning } from '@palimpsest/core'

/**
 * Failures after which everything is kept while there is room, because a later attempt may succeed. Other failures lead
 * to a summary without a model. See `docs/decisions/0006`.
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

/** Seconds until the model is tried again, by failures in a row. The last value repeats. */
const COOLDOWN_SECONDS: Readonly<Partial<Record<ModelErrorKind, readonly number[]>>> = {
  auth: [600],
  quota: [60, 300, 900],
  timeout: [60, 300, 900],
  truncated: [60, 300, 900],
  empty: [30],
}
const DEFAULT_COOLDOWN_SECONDS = [60] as const

/** A failed summary's effect on the compaction. */
export interface Failure {
  readonly kind: ModelErrorKind
  readonly message: string
  /** True if keeping everything is better than a summary without a model. */
  readonly keep: boolean
  /** Time without calls of the model, in milliseconds. */
  readonly cooldownMs: number
}

/** Classifies an error of a summariser. `streak` counts failures in a row, including this one. */
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

/** Counts failures of a summariser and skips it for a while. */
export interface ModelCooldown {
  failures(): number
  /** Times in milliseconds. A cooldown is never shortened. */
  failed(now: number, cooldownMs: number): void
  succeeded(): void
  isCooling(now: number): boolean
}

export function createModelCooldown(): ModelCooldown {
  let failures = 0
  let coolUntil = 0
  return {
    failures: () => failures,
    failed(now, cooldownMs) {
      failures++
      coolUntil = Math.max(coolUntil, now + cooldownMs)
    },
    succeeded() {
      failures = 0
      coolUntil = 0
    },
    isCooling: (now) => now < coolUntil,
  }
}

export interface SummarizeOrKeepInput {
  readonly model: CompletionModel | undefined
  readonly byModel: (model: CompletionModel) => Promise<string>
  readonly withoutModel: () => string | Promise<string>
  readonly streak: number
  readonly mustSummarize: boolean
  readonly signal: AbortSignal | undefined
}

export interface SummarizedOrKept {
  readonly text: string | null
  readonly writer: 'model' | 'extractive'
  readonly failure?: Failure
  readonly warnings: readonly Warning[]
}

/**
 * A summary by the model, or without one. If the model fails and there is room, nothing is summarised; without room,
 * the summary is made without a model, with a warning.
 */
export async function summarizeOrKeep(input: SummarizeOrKeepInput): Promise<SummarizedOrKept> {
  const { model, byModel, withoutModel, signal } = input
  if (model === undefined) return { text: await withoutModel(), writer: 'extractive', warnings: [] }
  try {
    return { text: await byModel(model), writer: 'model', warnings: [] }
  } catch (error) {
    signal?.throwIfAborted()
    const failure = judgeFailure(error, input.streak + 1)
    const keep = failure.keep && !input.mustSummarize
    const consequence = keep ? 'nothing was compacted' : 'a summary without a model was used instead'
    const warnings = [failureWarning(model.name, failure, consequence)]
    return { text: keep ? null : await withoutModel(), writer: 'extractive', failure, warnings }
  }
}

/** Explains which summariser failed, why, and what was done instead. */
export function failureWarning(name: string | undefined, failure: Failure, consequence: string): Warning {
  const summariser = name ? `the summariser ${name}` : 'the summariser'
  const message = `${summariser} failed (${failure.kind}: ${failure.message}); ${consequence}`
  return { code: 'summariser-failed', message }
}
