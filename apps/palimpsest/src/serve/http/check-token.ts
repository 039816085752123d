import { isLoopback } from '@palimpsest/gateway'
import { UsageError } from '../../usage-error.ts'

/** Characters of a token that strangers may try to guess. */
const LEAST_TOKEN = 8

/**
 * Refuses a token that a header cannot carry, and one that keeps no caller out who can reach the host.
 *
 * @throws UsageError
 */
export function checkToken(token: string | undefined, host: string): void {
  if (token === '') throw new UsageError('the token is empty; leave --token out, or name one')
  if (token !== undefined && !/^[!-~](?:[ -~]*[!-~])?$/.test(token))
    throw new UsageError('a token may have letters, digits and signs of ASCII only, and no spaces around it')
  if (isLoopback(host)) return
  const reach = `--host ${host} can be reached from other machines`
  if (token === undefined) throw new UsageError(`${reach}: set a token in PALIMPSEST_TOKEN, or with --token`)
  if (token.length < LEAST_TOKEN)
    throw new UsageError(
      `${reach}: a token of ${token.length} characters is soon guessed; use at least ${LEAST_TOKEN}, better 32 random ones`,
    )
}
