import type { ScaleWorkload } from './scale-workload.ts'

/** Where a store is. */
export interface StoreAddress {
  readonly url: string
  readonly schema: string
}

/** Fills a store with some of its sessions. */
export interface LoadTask extends StoreAddress {
  readonly kind: 'load'
  readonly workload: ScaleWorkload
  /** Numbers of the sessions: from `first` to the one before `end`. */
  readonly first: number
  readonly end: number
}

/** Appends turns to a session as fast as it can. */
export interface StoreWriteTask extends StoreAddress {
  readonly kind: 'write'
  readonly seed: number
  /** The host's id of the session; several workers may share one. */
  readonly key: string
  /** Different for each worker of a run: begins the ids of its messages. */
  readonly name: string
  readonly turns: number
}

/** Appends the rows that a worker wrote through a store to another session, by plain statements. */
export interface SqlWriteTask extends StoreAddress {
  readonly kind: 'write-sql'
  readonly key: string
  /** The session that they are in, and the name of the worker. */
  readonly source: string
  readonly name: string
}

export type WorkerTask = LoadTask | StoreWriteTask | SqlWriteTask

/** What a worker is told: to make ready for a task, and to begin with it. */
export type WorkerOrder = WorkerTask | 'go'

/** What a worker has done. */
export interface WorkerResult {
  readonly messages: number
  /** Appends that another worker was faster than, and that were made again. */
  readonly conflicts: number
}

/** A task that has only to be started. */
export type PreparedTask = () => Promise<WorkerResult>

/** What a worker says: it is ready and waits for the word, or it is done. */
export type WorkerReport =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly result: WorkerResult }
  | { readonly type: 'failed'; readonly message: string }
