import { StoreError } from '@palimpsest/decisions'
import type { DatabaseFormat } from '../database/database-format.ts'
import { DECISION_MIGRATIONS, DECISION_TABLES } from './schema.ts'

/** The tables of decisions. */
export const DECISION_FORMAT: DatabaseFormat = {
  name: 'decisions',
  migrations: DECISION_MIGRATIONS,
  tables: DECISION_TABLES,
  error: (code, message, options) => new StoreError(code, message, options),
}
