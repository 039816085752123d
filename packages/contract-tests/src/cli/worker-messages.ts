import type { EngineCapability } from '@palimpsest/core'
import type { CaseResult } from '../run-suite.ts'

/** What a worker is to do. Plain data: it crosses a process boundary. */
export interface WorkerJob {
  /** The module, as a URL that can be imported. */
  readonly url: string
  /** What messages call the module. */
  readonly label: string
  readonly options: Readonly<Record<string, unknown>>
  readonly expect: readonly EngineCapability[]
  readonly seed?: number | undefined
  readonly runs?: number | undefined
  readonly caseTimeoutMs?: number | undefined
  /** Ids of the cases. The one about what an engine declares joins them where something is expected. */
  readonly cases: readonly string[]
  /** Ids of those that ran already. */
  readonly done: readonly string[]
  /** Whether to tell what would run, and to stop there. */
  readonly planOnly: boolean
}

/** What is known once the engine was made for the first time, before any case. */
export interface ContractPlan {
  /** What reports call the engine. */
  readonly engine: string
  /** What it declares. */
  readonly capabilities: readonly EngineCapability[]
  /** What it was expected to declare. */
  readonly expected: readonly EngineCapability[]
  readonly seed: number
  readonly propertyRuns: number
  /** How long one case may take, in milliseconds. */
  readonly caseTimeoutMs: number
  readonly cases: readonly { readonly id: string; readonly title: string; readonly skip?: string }[]
}

/** What a worker tells, in this order; a refusal is the last word. */
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
