import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { describeWriteFault } from './replace-file.ts'
import { UsageError } from './usage-error.ts'

/**
 * The user's folder for `config.yaml`, plug-ins, engines' data and chats: `PALIMPSEST_HOME`, else
 * `$XDG_STATE_HOME/palimpsest` or `~/.local/state/palimpsest`, as in the XDG base directory specification.
 */
export function homeFolder(environment: NodeJS.ProcessEnv): string {
  const { PALIMPSEST_HOME, XDG_STATE_HOME } = environment
  if (PALIMPSEST_HOME) return resolve(PALIMPSEST_HOME)
  return join(XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'palimpsest')
}

export const HOME_ADVICE = 'set PALIMPSEST_HOME to a folder that can be written'

export function makeHomeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const reason = describeWriteFault(folder, cause)
    throw new UsageError(`the folder ${folder} cannot be made (${reason}): ${HOME_ADVICE}`, { cause })
  }
}

export function isOwnUser({ uid }: { readonly uid: number }): boolean {
  const own = process.getuid?.()
  return own === undefined || uid === own
}
