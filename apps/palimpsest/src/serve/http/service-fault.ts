/** The statuses that a call may fail with. */
export type FaultStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504

interface FaultDetails {
  /** Where in the request the fault is, such as `relevantCodes.0.code`. */
  readonly path?: string
  /** When to try again, in whole seconds. */
  readonly retryAfter?: number
  readonly cause?: unknown
}

/** A call that fails with a status and a sentence for its caller. */
export class ServiceFault extends Error {
  readonly status: FaultStatus
  /** Stable, kebab-case, for programs. */
  readonly code: string
  readonly path?: string
  readonly retryAfter?: number

  constructor(
    status: FaultStatus,
    code: string,
    message: string,
    { path, retryAfter, cause }: FaultDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    if (path !== undefined) this.path = path
    if (retryAfter !== undefined) this.retryAfter = retryAfter
  }
}
