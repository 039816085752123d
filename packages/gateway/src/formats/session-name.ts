import { digest } from '../recognition/prefix-hashes.ts'

/** A client's name of its session that may become a part of ours. */
const NAME = /^[\w.-]{1,100}$/

/** The name of one of the conversations in a client's session. `parts`: what it differs in from the others. */
export function nameInSession(session: string, parts: readonly unknown[]): string {
  return `${NAME.test(session) ? session : digest(session)}:${digest(JSON.stringify(parts))}`
}
