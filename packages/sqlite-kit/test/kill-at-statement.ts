import { DatabaseSync, StatementSync } from 'node:sqlite'

/** Kills this process before or after its n-th statement that writes, begins or ends something. */
export function killAtStatement(killAt: number, when: string): void {
  let statements = 0
  /** Does what a statement does, unless its time has come. */
  const live = <T>(statement: () => T): T => {
    const isLast = ++statements === killAt
    if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL')
    const result = statement()
    if (isLast) process.kill(process.pid, 'SIGKILL')
    return result
  }
  const { run } = StatementSync.prototype
  StatementSync.prototype.run = function (this: StatementSync, ...values: Parameters<typeof run>) {
    return live(() => run.apply(this, values))
  } as typeof run
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (sql) {
    live(() => exec.call(this, sql))
  }
}
