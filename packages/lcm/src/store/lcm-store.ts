import type { SessionMatch } from './candidate-query.ts'
import type { DumpRecord } from './dump-record.ts'
import type { LcmSession } from './lcm-session.ts'

/** Whose session, and which. */
export interface SessionRef {
  /** The owner: a user, a tenant. Default `local`. */
  readonly principal?: string
  /** The host's id of the session. */
  readonly key: string
}

export interface SessionInfo {
  readonly principal: string
  readonly key: string
  /** Messages of its own, replaced ones included. */
  readonly messages: number
  readonly summaries: number
  readonly createdAt: number
  /** When its last message was stored; `createdAt` when it has none. */
  readonly lastAt: number
}

export interface StoreStats {
  readonly sessions: number
  readonly messages: number
  readonly summaries: number
  /** Characters of the stored JSON texts. */
  readonly characters: number
  /** Bytes on disk; absent for a store in memory. */
  readonly bytes?: number
}

/** Something that is not as it should be. */
export interface StoreFault {
  /** Kebab-case, for programs. */
  readonly code: string
  /** One sentence for a person. */
  readonly message: string
  readonly principal?: string
  readonly key?: string
  /** Its subject, such as `m57` or `s3`. */
  readonly ref?: string
  /** True when `repair` mends it without losing anything. */
  readonly repairable: boolean
}

/** Where messages and summaries are kept. One store holds many sessions of many principals. */
export interface LcmStore {
  /** `memory`, `sqlite`, … */
  readonly kind: string
  /** For people: a path or an address without secrets. */
  readonly location: string
  /** Opens a session; makes it when there is none. `at` is when, in milliseconds since the epoch. */
  session(ref: SessionRef, at: number): Promise<LcmSession>
  /** Opens a session; null when there is none. */
  find(ref: SessionRef): Promise<LcmSession | null>
  /**
   * Sessions in the order of principal and key, behind `after` if given. With `matching`, those in which something may
   * match, replaced messages and what they were forked from included: a store may name others, and leaves none out.
   */
  list(query: {
    readonly principal?: string
    readonly after?: Required<SessionRef>
    readonly matching?: SessionMatch
    readonly limit: number
  }): Promise<SessionInfo[]>
  stats(): Promise<StoreStats>
  /** Faults that only the store can see: pages, indexes, dangling references. Empty when all is well. */
  check(): Promise<StoreFault[]>
  /** Mends what can be mended without losing anything: rebuilds indexes. Returns what is left. */
  repair(): Promise<StoreFault[]>
  /** Everything about one session, in an order that is always the same. */
  dump(ref: Required<SessionRef>): AsyncIterable<DumpRecord>
  /**
   * Writes sessions from their records. A session that is there must be equal as far as both go; it is continued or
   * left as it is. Content that was forgotten on one side counts as equal and stays as it is on each. All or nothing:
   * other writers may wait until the last record has come. Give the records without pauses, and do not wait for
   * another write to the same store between two of them.
   *
   * @throws StoreConflictError when another session of that name is there; StoreError `INVALID_DUMP`.
   */
  restore(
    records: AsyncIterable<DumpRecord>,
  ): Promise<{ readonly sessions: number; readonly messages: number }>
  /** Idempotent. */
  close(): Promise<void>
}
