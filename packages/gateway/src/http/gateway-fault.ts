interface GatewayFaultDetails {
  readonly param?: string
  readonly retryAfter?: number
  readonly cause?: unknown
}

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

export function toGatewayFault(error: unknown): GatewayFault {
  if (error instanceof GatewayFault) return error
  return new GatewayFault(500, 'internal_error', 'the gateway failed; the log of the service says more', {
    cause: error,
  })
}

export function uploadFault(limit: number): GatewayFault {
  const message = `the request did not arrive within ${limit / 1_000} s; send it again`
  return new GatewayFault(408, 'upload_slow', message)
}

export function refusedFault(status: number): GatewayFault {
  return new GatewayFault(
    502,
    'upstream_error',
    `the upstream answered with status ${status}; try again, or look into its log`,
  )
}

export class BrokenEvent extends GatewayFault {
  readonly mayLose: boolean

  constructor(reason: string, mayLose = true) {
    super(502, 'upstream_malformed', `the upstream's stream is broken: ${reason}; try again`)
    this.mayLose = mayLose
  }
}

export function shutdownFault(): GatewayFault {
  return new GatewayFault(503, 'shutting_down', 'the gateway is shutting down; try again', { retryAfter: 5 })
}

export function goneFault(): GatewayFault {
  return new GatewayFault(503, 'client_gone', 'the client closed the connection')
}

/** Clients retry such a request. */
export function takenFault(): GatewayFault {
  const message = 'another worker has taken the conversation over, because this one was too slow; try again'
  return new GatewayFault(409, 'conversation_taken', message, { retryAfter: 1 })
}

export class PassedOn extends Error {
  readonly response: Response

  constructor(response: Response, refusal?: object) {
    super('the upstream gave no answer', { cause: refusal })
    this.response = response
  }
}
