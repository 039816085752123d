import { StoreError } from '@palimpsest/lcm'
import type { DatabaseFormat } from '../database/database-format.ts'
import { LCM_MIGRATIONS, LCM_TABLES } from './schema.ts'

/** The tables of LCM. */
export const LCM_FORMAT: DatabaseFormat = {
  name: 'lcm',
  migrations: LCM_MIGRATIONS,
  tables: LCM_TABLES,
  error: (code, message, options) => new StoreError(code, message, options),
}
