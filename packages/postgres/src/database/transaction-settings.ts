import { escapeIdentifier, escapeLiteral } from 'pg'

/** Settings of one transaction. None outlives it: the connection may be another session's next. */
export interface TransactionSettings {
  readonly mode: 'read' | 'write'
  readonly schema: string
  /** Milliseconds; 0: no limit. */
  readonly statementTimeout: number
  /** Whose data it is about, for row-level security. */
  readonly principal?: string | undefined
}

/** The statements that begin a transaction. */
export function beginText({ mode, schema, statementTimeout, principal }: TransactionSettings): string {
  const isolation = mode === 'read' ? 'REPEATABLE READ READ ONLY' : 'READ COMMITTED'
  const settings: Record<string, string> = {
    // Nothing of the session's own: neither its tables nor its functions are taken for ours.
    search_path: `${escapeIdentifier(schema)}, pg_temp`,
    statement_timeout: String(statementTimeout),
    // A worker that stops in the middle does not keep the others waiting for longer.
    idle_in_transaction_session_timeout: String(statementTimeout),
    // Compiling takes longer than any of our statements.
    jit: 'off',
    ...(principal !== undefined && { 'palimpsest.principal': escapeLiteral(principal) }),
  }
  const lines = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  return [`BEGIN ISOLATION LEVEL ${isolation}`, ...lines].join('; ')
}
