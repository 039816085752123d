import type { ConnectionFailure } from '@palimpsest/provider-utils'
import type { Judgement } from './judge-failure.ts'

/** What to do about a connection that brought no answer, or about an error that is none of a connection. */
export function judgeConnection(failure: ConnectionFailure | undefined, server: string): Judgement {
  if (failure === undefined) return { kind: 'unknown', advice: `the call to ${server} failed` }
  if (failure.kind === 'timeout')
    return { kind: 'timeout', advice: `${server} did not answer in time; try again or send less` }
  const advice = {
    refused: `nothing answers at ${server}: is the server there running?`,
    'unknown-host': `the host name of ${server} is not known; check baseUrl and the network`,
    insecure: `no secure connection to ${server} came about; check baseUrl`,
    broken: `the connection to ${server} failed or broke; try again`,
  }
  return { kind: 'network', advice: advice[failure.reason] }
}
