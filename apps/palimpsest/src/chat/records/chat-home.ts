import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * The folder for the records and stores of chats: `PALIMPSEST_HOME`, else the place that the XDG base directory
 * specification has for such state, `$XDG_STATE_HOME/palimpsest` or `~/.local/state/palimpsest`.
 */
export function chatHome(environment: NodeJS.ProcessEnv): string {
  const { PALIMPSEST_HOME, XDG_STATE_HOME } = environment
  if (PALIMPSEST_HOME) return resolve(PALIMPSEST_HOME)
  return join(XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'palimpsest')
}
