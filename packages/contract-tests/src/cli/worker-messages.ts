import type { EngineCapability } from '@palimpsest/core'
import type { CaseResult } from '../run-suite.ts'

/** The job of a worker. Plain data: it crosses a process boundary. */
export interface WorkerJob {
  readonly url: string
  /** The module's name in messages. */
  readonly label: string
  readonly options: Readonly<Record<string, unknown>>
  readonly expect: readonly EngineCapability[]
  readonly seed?: number | undefined
  readonly runs?: number | undefined
  readonly caseTimeoutMs?: number | undefined
  /** Ids of the cases. The one about what an engine declares joins them where something is expected. */
  readonly cases: readonly string[]
  readonly done: readonly string[]
  /** Whether to tell what would run, and to stop there. */
  readonly planOnly: boolean
}

/** The plan of a run, known once the engine was created for the first time, before any case. */
export interface ContractPlan {
  readonly engine: string
  readonly capabilities: readonly EngineCapability[]
  /** Empty when there is no expectation. */
  readonly expected: readonly EngineCapability[]
  readonly seed: number
  readonly propertyRuns: number
  /** The time limit of one case, in milliseconds. */
  readonly caseTimeoutMs: number
  readonly cases: readonly { readonly id: string; readonly title: string; readonly skip?: string }[]
}

/** The messages of a worker, in this order. A refusal is the last. */
export type WorkerMessage =
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'planned'; readonly plan: ContractPlan }
  | { readonly type: 'started'; readonly id: string }
  | { readonly type: 'finished'; readonly result: CaseResult }
  | { readonly type: 'done' }

const TYPES: readonly unknown[] = [
  'refused',
  'planned',
  'started',
  'finished',
  'done',
] satisfies WorkerMessage['type'][]

/** Engines may use the channel of their process too; what they send is none of these. */
export function isWorkerMessage(value: unknown): value is WorkerMessage {
  return typeof value === 'object' && value !== null && TYPES.includes((value as { type?: unknown }).type)
}
