import { isSecured } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'
import type { OpenedStore } from './with-store.ts'

/**
 * For what is about all principals. Where the server keeps the rows of others back, it shows who is not the owner of the
 * tables nothing at all then, and a damaged store would be called sound.
 *
 * @throws UsageError
 */
export async function assertSeesAll({ store, place }: OpenedStore): Promise<void> {
  if (!isSecured(place) || (await store.stats()).sessions > 0) return
  throw new UsageError(
    `${place.name} shows this user no session: with store.row_security only the owner of the tables sees those of all ` +
      'principals; connect as the owner, or look at one with --principal',
  )
}
