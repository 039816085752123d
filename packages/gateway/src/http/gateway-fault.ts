interface GatewayFaultDetails {
  readonly param?: string
  /** Seconds. */
  readonly retryAfter?: number
  readonly cause?: unknown
}

/** A request that the gateway itself refuses or cannot carry out. */
export class GatewayFault extends Error {
  readonly status: number
  readonly code: string
  readonly param: string | null
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, message: string, details: GatewayFaultDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.status = status
    this.code = code
    this.param = details.param ?? null
    this.retryAfter = details.retryAfter
  }
}

/** The fault that a client sees for any error. An unknown error shows none of its details. */
export function toGatewayFault(error: unknown): GatewayFault {
  if (error instanceof GatewayFault) return error
  return new GatewayFault(500, 'internal_error', 'the gateway failed; the log of the service says more', {
    cause: error,
  })
}

/** Why a request ends that does not arrive. `limit`: in milliseconds. */
export function uploadFault(limit: number): GatewayFault {
  const message = `the request did not arrive within ${limit / 1_000} s; send it again`
  return new GatewayFault(408, 'upload_slow', message)
}

/** Stands for a refusal of the upstream that says nothing in the shape of an API. */
export function refusedFault(status: number): GatewayFault {
  return new GatewayFault(502, 'upstream_error', `the upstream answered with status ${status}`)
}

/** Thrown for an event of an upstream's stream that cannot be read. */
export class BrokenEvent extends GatewayFault {
  /** Whether a part of the answer may be lost with it. */
  readonly mayLose: boolean

  constructor(reason: string, mayLose = true) {
    super(502, 'upstream_malformed', `the upstream's stream is broken: ${reason}; try again`)
    this.mayLose = mayLose
  }
}

/** Why requests end when the service does. */
export function shutdownFault(): GatewayFault {
  return new GatewayFault(503, 'shutting_down', 'the gateway is shutting down; try again', { retryAfter: 5 })
}

/** Why a request ends whose client went away. */
export function goneFault(): GatewayFault {
  return new GatewayFault(503, 'client_gone', 'the client closed the connection')
}

/** Why a request ends whose conversation another worker has taken over. Clients try such again. */
export function takenFault(): GatewayFault {
  const message = 'another worker has taken the conversation over, because this one was too slow; try again'
  return new GatewayFault(409, 'conversation_taken', message, { retryAfter: 1 })
}

/** Thrown with an answer of the upstream that the client gets as it came. */
export class PassedOn extends Error {
  readonly response: Response

  constructor(response: Response, refusal?: object) {
    super('the upstream gave no answer', { cause: refusal })
    this.response = response
  }
}
