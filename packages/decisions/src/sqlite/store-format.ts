import type { StoreFormat } from '@palimpsest/sqlite-kit'
import { StoreError } from '../errors/store-error.ts'
import { MIGRATIONS } from './migrations.ts'

/** The files of this package. */
export const STORE_FORMAT: StoreFormat = {
  title: 'a store of decisions',
  packageName: '@palimpsest/decisions',
  /** "DECs" in ASCII. */
  applicationId: 0x44454373,
  migrations: MIGRATIONS,
  error: (code, message, options) => new StoreError(code, message, options),
}
