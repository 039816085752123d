import { isLoopback } from '@palimpsest/gateway'
import { UsageError } from '../../usage-error.ts'

/** The variable with the key for the upstream: a file or a command line is no place for it. */
export const UPSTREAM_KEY = 'PALIMPSEST_UPSTREAM_KEY'

/**
 * Refuses an upstream that every request would fail at.
 *
 * @param port where the service is going to listen.
 * @throws UsageError
 */
export function checkUpstream(baseUrl: string, apiKey: string | undefined, port: number): void {
  const { username, password, hostname, port: target } = new URL(baseUrl)
  // No request can be made of such an address, and logs would show it.
  if (username !== '' || password !== '')
    throw new UsageError(
      `the upstream's address has a user or a password in it; set its key in ${UPSTREAM_KEY}`,
    )
  if (apiKey !== undefined && !/^[!-~]+$/.test(apiKey))
    throw new UsageError(
      `${UPSTREAM_KEY} has signs that no key has, such as a space or a line break; copy it again`,
    )
  if (isLoopback(hostname) && target === String(port))
    throw new UsageError(
      `the upstream ${baseUrl} is where this service itself will listen; choose another --port, or another upstream`,
    )
}
