import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Keeps compiled code for the next start, in `$XDG_CACHE_HOME/palimpsest` or `~/.cache/palimpsest`: a third of the time of a
 * short command is compiling. `NODE_COMPILE_CACHE` names another folder, and `NODE_DISABLE_COMPILE_CACHE=1` turns it off.
 * Where nothing can be kept, everything is compiled.
 */
export function keepCompiled({ NODE_COMPILE_CACHE, XDG_CACHE_HOME }: NodeJS.ProcessEnv): void {
  if (NODE_COMPILE_CACHE) return
  try {
    module.enableCompileCache(join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'palimpsest'))
  } catch {
    // An older Node, whose version is refused later, or a user without a home.
  }
}
