import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaseResult } from '../run-suite.ts'
import type { Reporter } from './reporter.ts'
import { type LostWorker, runWorker, WORKER_LIMITS, type WorkerLimits } from './run-worker.ts'
import { UsageError } from './usage-error.ts'
import type { ContractPlan, WorkerJob, WorkerMessage } from './worker-messages.ts'

export interface SuperviseInput {
  /** The script of the worker process. */
  readonly worker: URL
  readonly job: Omit<WorkerJob, 'done'>
  /** Hears of each step. */
  readonly reporter: Reporter
  /** Ends the run; the promise rejects with its reason when everything is cleaned up. */
  readonly signal: AbortSignal
  /** Default: `WORKER_LIMITS`. */
  readonly limits?: WorkerLimits
}

/** The course of a run. */
export interface SupervisedRun {
  readonly plan: ContractPlan
  readonly results: readonly CaseResult[]
}

/**
 * Runs cases in a process of their own. A case in which that process ends or hangs has failed, and the cases behind
 * it run in a new one. Temporary files of all of them are gone afterwards.
 *
 * @throws UsageError when no case can run.
 */
export async function superviseJob(input: SuperviseInput): Promise<SupervisedRun> {
  const { job, reporter, limits = WORKER_LIMITS } = input
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-contract-'))
  const results: CaseResult[] = []
  let plan: ContractPlan | undefined
  let { caseTimeoutMs } = job

  const done = () => results.map(({ id }) => id)
  const finished = (result: CaseResult) => {
    results.push(result)
    reporter.finished?.(result)
  }
  const onMessage = (message: WorkerMessage) => {
    if (message.type === 'started') reporter.started?.(message.id)
    if (message.type === 'finished') finished(message.result)
    // A second worker plans again what is left.
    if (message.type !== 'planned' || plan !== undefined) return
    plan = message.plan
    reporter.planned?.(plan)
  }

  try {
    for (;;) {
      const end = await runWorker({
        ...input,
        job: { ...job, caseTimeoutMs, done: done() },
        folder,
        limits,
        onMessage,
      })
      if (end.type === 'refused') throw new UsageError(end.reason)
      if (plan === undefined)
        throw new UsageError(`${job.label} ${end.type === 'lost' ? end.how : 'was not run'}`)
      if (end.type === 'done') return { plan, results }
      if (end.stuck) caseTimeoutMs = Math.min(plan.caseTimeoutMs, limits.caseAgainMs)
      const open = plan.cases.filter(({ id }) => !done().includes(id))
      const entry = open.find(({ id }) => id === end.during) ?? open[0]
      if (entry !== undefined) finished(failed(entry, end))
      if (open.length <= 1) return { plan, results }
    }
  } catch (error) {
    if (input.signal.aborted) reporter.interrupted?.()
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function failed({ id, title }: ContractPlan['cases'][number], { how, caseMs }: LostWorker): CaseResult {
  return { id, title, status: 'failed', reason: `the engine ${how}`, notes: [], durationMs: caseMs }
}
