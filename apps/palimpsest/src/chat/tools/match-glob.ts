import { matchesGlob } from 'node:path'
import { runBounded } from './run-bounded.ts'
import { ToolFault } from './tool-fault.ts'

/** Characters of a pattern. */
const MAX_CHARACTERS = 500

/** Paths that are matched at once: few enough that only a bad pattern is slow. */
const BATCH = 2_000

/**
 * Those of the paths that match a glob. A pattern without a slash is one for names, in whatever folder.
 *
 * @param base beginning of all paths, which the pattern does not name.
 * @throws ToolFault for a pattern that takes too long.
 */
export function matchGlob(paths: readonly string[], pattern: string, base: string): string[] {
  if (pattern.length > MAX_CHARACTERS) throw new ToolFault('the pattern is too long')
  const whole = pattern.includes('/') ? pattern.replace(/^\.?\//, '') : `**/${pattern}`
  const found: string[] = []
  for (let at = 0; at < paths.length; at += BATCH) {
    const batch = paths.slice(at, at + BATCH)
    found.push(
      ...runBounded(() => batch.filter((path) => matchesGlob(path.slice(base.length), whole)), 'the glob'),
    )
  }
  return found
}
