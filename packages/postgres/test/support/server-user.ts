import { readFileSync } from 'node:fs'

/** Who a server of a test runs as. */
export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

/** Who may run a server where tests run as root, whom a server refuses; the first that the machine knows. */
const NAMES = ['postgres', 'nobody']

/** Who runs servers; undefined: who runs the tests. */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const [entry] = NAMES.flatMap((name) => entries.filter(([known]) => known === name))
  if (entry === undefined) throw new Error(`there is no user ${NAMES.join(' or ')} to run a server as`)
  const [, , uid, gid] = entry
  return { uid: Number(uid), gid: Number(gid) }
}
