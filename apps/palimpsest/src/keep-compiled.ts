import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Caches compiled code in `$XDG_CACHE_HOME/palimpsest` or `~/.cache/palimpsest`, because compiling takes a third of a
 * short command's time. `NODE_COMPILE_CACHE` names another folder, and `NODE_DISABLE_COMPILE_CACHE=1` disables it.
 * Failures are ignored.
 */
export function keepCompiled({ NODE_COMPILE_CACHE, XDG_CACHE_HOME }: NodeJS.ProcessEnv): void {
  if (NODE_COMPILE_CACHE) return
  try {
    module.enableCompileCache(join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'palimpsest'))
  } catch {
    // An old Node, refused later, or a user without a home folder.
  }
}
