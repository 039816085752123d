import type { LcmSession, SessionMatch } from './lcm-session.ts'

/** The owner of sessions where none is named. */
export const DEFAULT_PRINCIPAL = 'local'

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
  /** Replaced ones included. */
  readonly messages: number
  readonly summaries: number
  readonly createdAt: number
  /** When its last message was stored; `createdAt` when it has none. */
  readonly lastAt: number
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
  /** `memory`, `sqlite`, `postgres`, … */
  readonly kind: string
  /** For people: a path or an address without secrets. */
  readonly location: string
  /** Opens a session; makes it when there is none. `at` is when, in milliseconds since the epoch. */
  session(ref: SessionRef, at: number): Promise<LcmSession>
  /** Opens a session; null when there is none. */
  find(ref: SessionRef): Promise<LcmSession | null>
  /**
   * Sessions in the order of principal and key, behind `after` if given. With `matching`, those in which something may
   * match, replaced messages included: a store may name others, and leaves none out.
   */
  list(query: {
    readonly principal?: string
    readonly after?: Required<SessionRef>
    readonly matching?: SessionMatch
    readonly limit: number
  }): Promise<SessionInfo[]>
  /** Faults that only the store can see: pages, indexes, dangling references. Empty when all is well. */
  check(): Promise<StoreFault[]>
  /** Mends what can be mended without losing anything: rebuilds indexes. Returns what is left. */
  repair(): Promise<StoreFault[]>
  /** Idempotent. */
  close(): Promise<void>
}

const PAGE = 100

/** The sessions of a store in the order of principal and key, or those of one principal; read as far as they are taken. */
export async function* listSessions(
  store: Pick<LcmStore, 'list'>,
  principal?: string,
): AsyncGenerator<SessionInfo> {
  let after: SessionInfo | undefined
  do {
    const page: SessionInfo[] = await store.list({
      ...(principal !== undefined && { principal }),
      ...(after && { after: { principal: after.principal, key: after.key } }),
      limit: PAGE,
    })
    yield* page
    after = page.length < PAGE ? undefined : page.at(-1)
  } while (after !== undefined)
}
