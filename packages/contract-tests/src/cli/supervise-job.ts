import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaseResult } from '../run-suite.ts'
import { UsageError } from './read-arguments.ts'
import type { Reporter } from './reporter.ts'
import { type ContractPlan, isWorkerMessage, type WorkerJob, type WorkerMessage } from './worker-messages.ts'

export interface SuperviseInput {
  /** The script of the worker process. */
  readonly worker: URL
  readonly job: Omit<WorkerJob, 'done'>
  readonly reporter: Reporter
  /** Ends the run; the promise rejects with its reason when everything is cleaned up. */
  readonly signal: AbortSignal
  /** Default: `WORKER_LIMITS`. */
  readonly limits?: WorkerLimits
}

/**
 * Runs cases in a process of their own. A case in which that process ends or hangs has failed, and the cases behind
 * it run in a new one. Temporary files of all of them are gone afterwards.
 *
 * @throws UsageError when no case can run.
 */
export async function superviseJob(
  input: SuperviseInput,
): Promise<{ readonly plan: ContractPlan; readonly results: readonly CaseResult[] }> {
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

/** The time limits of a worker, in milliseconds. */
export interface WorkerLimits {
  /** Until the engine was loaded and made once. */
  readonly loadMs: number
  /** The time that a case may take beyond its limit. */
  readonly graceMs: number
  /** The limit of a case behind one that had to be stopped. */
  readonly caseAgainMs: number
}

/**
 * A case ends itself when its time is over, as soon as the call of the engine that is under way has its answer. Only a
 * loop that never yields gets past that, and an engine that has one mostly runs into it in many cases. They have 5 s
 * then: no case takes more than 1.5 s on the compressor, with the usual 100 conversations of a property.
 */
const WORKER_LIMITS: WorkerLimits = { loadMs: 30_000, graceMs: 15_000, caseAgainMs: 5_000 }

interface WorkerInput extends Required<Pick<SuperviseInput, 'worker' | 'signal' | 'limits'>> {
  readonly job: WorkerJob
  /** Where temporary files of the worker go. */
  readonly folder: string
  onMessage(message: WorkerMessage): void
}

type WorkerEnd =
  | { readonly type: 'done' }
  /** There was nothing to run cases on. */
  | { readonly type: 'refused'; readonly reason: string }
  | LostWorker

/** A worker that ended in the middle of something, or that had to be ended. */
interface LostWorker {
  readonly type: 'lost'
  /** Goes on from "the engine". */
  readonly how: string
  readonly during: string | undefined
  /** Its time so far, in milliseconds. */
  readonly caseMs: number
  readonly stuck: boolean
}

/** Starts a worker process, gives it its job and waits until it is gone. */
function runWorker({ worker, job, folder, signal, limits, onMessage }: WorkerInput): Promise<WorkerEnd> {
  const child = fork(worker, {
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
    // The output of an engine must not end up in a report.
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  let end: WorkerEnd | undefined
  let during: string | undefined
  let where = ' while it was loaded'
  let startedAt = performance.now()
  let caseMs = 0
  let timer: NodeJS.Timeout

  const finish = (how: WorkerEnd): void => {
    end ??= how
    child.kill('SIGKILL')
  }
  const lost = (how: string, stuck = false): LostWorker => ({
    type: 'lost',
    how,
    during,
    caseMs: Math.round(performance.now() - startedAt),
    stuck,
  })
  const wait = (milliseconds: number, how: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => finish(lost(how, true)), milliseconds)
  }
  const hear = (message: unknown): void => {
    if (!isWorkerMessage(message) || end !== undefined) return
    if (message.type === 'done' || message.type === 'refused') {
      finish(message)
      return
    }
    during = message.type === 'started' ? message.id : undefined
    startedAt = performance.now()
    where = ''
    if (message.type === 'planned') caseMs = message.plan.caseTimeoutMs
    const how = `did not come to an end within ${caseMs / 1_000} s: it is stuck in a loop that never yields`
    wait(caseMs + limits.graceMs, how)
    onMessage(message)
  }

  return new Promise((resolve, reject) => {
    const stop = () => child.kill('SIGKILL')
    signal.addEventListener('abort', stop, { once: true })
    child.on('message', hear)
    child.on('error', reject)
    // Unlike `exit`, `close` comes behind the last message.
    child.on('close', (code, killedBy) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      if (signal.aborted) return reject(signal.reason)
      const how = killedBy === null ? `ended the process with exit code ${code}` : `was ended by ${killedBy}`
      resolve(end ?? lost(how + where))
    })
    wait(limits.loadMs, `did not finish loading within ${limits.loadMs / 1_000} s`)
    if (signal.aborted) stop()
    else child.send(job, (error) => error && child.kill('SIGKILL'))
  })
}
