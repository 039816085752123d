export {
  createDatabase,
  type Database,
  type TransactionScope,
  type Work,
} from './database/create-database.ts'
export type { DatabaseErrorCode, DatabaseFormat } from './database/database-format.ts'
export type { Sql, SqlValue } from './database/sql.ts'
