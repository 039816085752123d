export function hideSqliteWarning(): void {
  const emit = process.emitWarning as (...args: unknown[]) => void
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (typeof warning === 'string' && warning.startsWith('SQLite is an experimental feature')) return
    emit.call(process, warning, ...rest)
  }
}
