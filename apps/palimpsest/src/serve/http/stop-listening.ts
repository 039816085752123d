import type { Server } from 'node:http'

/** The interval at which finished connections are looked for, in milliseconds. */
const SWEEP_INTERVAL = 20

/**
 * Takes no more connections. Returns what ends those that are open, each when its answer was sent; those that take longer
 * than its limit, in milliseconds, are cut off.
 */
export function stopListening(server: Server): (limit: number) => Promise<void> {
  const stopped = new Promise<void>((resolve) => server.close(() => resolve()))
  return async (limit) => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL)
    const timer = setTimeout(() => server.closeAllConnections(), limit)
    await stopped
    clearInterval(sweep)
    clearTimeout(timer)
  }
}
