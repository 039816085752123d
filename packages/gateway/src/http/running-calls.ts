import { GatewayFault, shutdownFault } from './gateway-fault.ts'

/** One request of a client, until its answer is over. */
export interface RunningCall {
  /** Aborts when the client goes away, when a shutdown cannot wait any longer, and when the call is stopped. */
  readonly signal: AbortSignal
  /** The client reads no more. */
  abandon(): void
  /** It cannot go on. */
  stop(reason: GatewayFault): void
  /** May be called more than once. */
  end(): void
}

/** The requests that are being answered. */
export interface RunningCalls {
  /** @throws GatewayFault 503 when the gateway is being closed. */
  begin(client: AbortSignal): RunningCall
  /** Takes no more, and resolves when all are over; those that take longer than `limit` milliseconds are aborted. */
  drain(limit: number): Promise<void>
}

export function createRunningCalls(): RunningCalls {
  const running = new Set<AbortController>()
  const drained = Promise.withResolvers<void>()
  let isClosed = false
  const settle = () => {
    if (isClosed && running.size === 0) drained.resolve()
  }
  return {
    begin(client) {
      if (isClosed) throw shutdownFault()
      const controller = new AbortController()
      running.add(controller)
      const abandon = () => controller.abort(clientGone())
      if (client.aborted) abandon()
      // Not the client's own signal: servers abort that with whatever they like.
      else client.addEventListener('abort', abandon, { once: true })
      return {
        signal: controller.signal,
        abandon,
        stop: (reason) => controller.abort(reason),
        end() {
          running.delete(controller)
          settle()
        },
      }
    },
    async drain(limit) {
      isClosed = true
      settle()
      const timer = setTimeout(() => {
        for (const controller of running) controller.abort(shutdownFault())
      }, limit)
      await drained.promise
      clearTimeout(timer)
    },
  }
}

function clientGone(): GatewayFault {
  return new GatewayFault(503, 'client_gone', 'the client closed the connection')
}
