import { escapeIdentifier, escapeLiteral } from 'pg'

/** Settings that end with the transaction, because another session may use the connection next. */
export interface TransactionSettings {
  readonly mode: 'read' | 'write'
  readonly schema: string
  readonly statementTimeout: number
  readonly principal?: string | undefined
}

export function beginText({ mode, schema, statementTimeout, principal }: TransactionSettings): string {
  const isolation = mode === 'read' ? 'REPEATABLE READ READ ONLY' : 'READ COMMITTED'
  const settings: Record<string, string> = {
    // Excludes tables and functions of the same names in other schemas.
    search_path: `${escapeIdentifier(schema)}, pg_temp`,
    statement_timeout: String(statementTimeout),
    // A crashed worker blocks others for no longer than this.
    idle_in_transaction_session_timeout: String(statementTimeout),
    // Compiling takes longer than any of our statements.
    jit: 'off',
    ...(principal !== undefined && { 'palimpsest.principal': escapeLiteral(principal) }),
  }
  const lines = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  return [`BEGIN ISOLATION LEVEL ${isolation}`, ...lines].join('; ')
}
