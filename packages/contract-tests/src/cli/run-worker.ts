import { fork } from 'node:child_process'
import { isWorkerMessage, type WorkerJob, type WorkerMessage } from './worker-messages.ts'

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
export const WORKER_LIMITS: WorkerLimits = { loadMs: 30_000, graceMs: 15_000, caseAgainMs: 5_000 }

export interface WorkerInput {
  /** The script of the worker process. */
  readonly worker: URL
  readonly job: WorkerJob
  /** Where temporary files of the worker go. */
  readonly folder: string
  /** Ends the worker; the promise rejects with its reason. */
  readonly signal: AbortSignal
  readonly limits: WorkerLimits
  onMessage(message: WorkerMessage): void
}

/** The end of a worker. */
export type WorkerEnd =
  | { readonly type: 'done' }
  /** There was nothing to run cases on. */
  | { readonly type: 'refused'; readonly reason: string }
  | LostWorker

/** A worker that ended in the middle of something, or that had to be ended. */
export interface LostWorker {
  readonly type: 'lost'
  /** Goes on from "the engine". */
  readonly how: string
  /** The case that was running. */
  readonly during: string | undefined
  /** Its time so far, in milliseconds. */
  readonly caseMs: number
  /** Whether it had to be ended. */
  readonly stuck: boolean
}

/** Starts a worker process, gives it its job and waits until it is gone. */
export function runWorker({
  worker,
  job,
  folder,
  signal,
  limits,
  onMessage,
}: WorkerInput): Promise<WorkerEnd> {
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
