import { createHash } from 'node:crypto'
import { ServiceFault } from '../http/service-fault.ts'
import type { QueryInput, QueryResult } from './query.ts'

/** Tells whether two queries ask the same. */
export function hashOfQuery({ query, task, codes }: QueryInput): string {
  const asked = JSON.stringify([query, task ?? null, codes ?? null])
  return createHash('sha256').update(asked).digest('hex')
}

/**
 * The stored answer to a query that was asked before under the same id.
 *
 * @throws ServiceFault 409 when the id was used for another query.
 */
export function repeatedAnswer(
  known: { readonly hash: string; readonly response: string },
  hash: string,
  requestId: string | undefined,
): QueryResult {
  if (known.hash !== hash)
    throw new ServiceFault(409, 'request-id-taken', `requestId "${requestId}" was used for another query`, {
      path: 'requestId',
    })
  return { ...(JSON.parse(known.response) as QueryResult), repeated: true }
}
