import { createRunningCalls } from '../pool/running-calls.ts'
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
export interface RunningRequests {
  /** @throws GatewayFault 503 when the gateway is being closed. */
  begin(client: AbortSignal): RunningCall
  /** Takes no more, and resolves when all are over; those that take longer than `limit` milliseconds are aborted. */
  drain(limit: number): Promise<void>
}

export function createRunningRequests(): RunningRequests {
  const running = createRunningCalls(shutdownFault)
  return {
    begin(client) {
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
        end: () => running.remove(controller),
      }
    },
    drain: running.drain,
  }
}

function clientGone(): GatewayFault {
  return new GatewayFault(503, 'client_gone', 'the client closed the connection')
}
