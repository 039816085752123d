import type { Database } from '@palimpsest/postgres/database'
import { storeOpener } from '../../../stores/open-in-database.ts'
import type { DatabasePlace } from '../../../stores/store-place.ts'
import { SERVE_TABLES } from './serve-tables.ts'

/**
 * The tables of services in a database, on the connections that all stores of the process share.
 *
 * @param mayMake False for who only looks at what is there.
 */
export async function openServeDatabase(place: DatabasePlace, mayMake = true): Promise<Database> {
  const open = await storeOpener(
    place,
    async () => {
      const { createDatabase } = await import('@palimpsest/postgres/database')
      return (options) => createDatabase(options, SERVE_TABLES)
    },
    mayMake,
  )
  return open()
}
