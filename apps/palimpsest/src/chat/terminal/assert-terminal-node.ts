import { UsageError } from '../../usage-error.ts'

/** The terminal library needs a newer Node than the rest of the program. */
const OLDEST = { major: 22, minor: 19 }

/** @throws UsageError when the chat in a terminal cannot run on this Node. */
export function assertTerminalNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return
  throw new UsageError(
    `a chat in the terminal needs Node ${OLDEST.major}.${OLDEST.minor} or later, this is ${version}; ` +
      'one question at a time works: palimpsest chat "…" | cat',
  )
}
