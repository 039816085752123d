import { existsSync } from 'node:fs'
import { PalimpsestError } from '@palimpsest/core'
import { UsageError } from '../usage-error.ts'
import { isMissing, type StorePlace } from './store-place.ts'

/** A key that no session has. */
const NO_SESSION = '#check'

interface Findable {
  find(ref: { readonly key: string }): Promise<unknown>
}

/**
 * @param advice How one is made.
 * @throws UsageError when there is no store at the place; the error of a database that cannot be used.
 */
export async function assertStoreThere(place: StorePlace, store: Findable, advice: string): Promise<void> {
  if (place.kind === 'file') {
    if (!isMissing(place)) return
    const isEmpty = existsSync(place.path) ? ' (the file is empty)' : ''
    throw new UsageError(`there is no store ${place.name}${isEmpty}; ${advice}`)
  }
  try {
    await store.find({ key: NO_SESSION })
  } catch (cause) {
    if (!PalimpsestError.isInstance(cause) || cause.code !== 'NOT_A_STORE') throw cause
    // The server does not tell tables that are not there from those that the user may not see.
    throw new UsageError(
      `there is no store in ${place.name} that this user may see and that is up to date; ${advice}`,
      { cause },
    )
  }
}
