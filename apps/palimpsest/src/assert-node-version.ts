import { UsageError } from './usage-error.ts'

const OLDEST = { major: 22, minor: 19 }

export function assertNodeVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return
  throw new UsageError(
    `Palimpsest needs Node ${OLDEST.major}.${OLDEST.minor} or later, and this is ${version}; install a newer Node`,
  )
}
