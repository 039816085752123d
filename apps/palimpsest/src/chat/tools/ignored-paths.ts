import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** The rules of one folder's `.gitignore`; they hold below it. */
export interface IgnoreRules {
  /** Relative to the workspace, with a slash at its end; empty for the workspace itself. */
  readonly base: string
  readonly rules: Ignore
}

/** Bytes of a `.gitignore`; a greater one is not one. */
const MAX_BYTES = 1024 * 1024

/** The rules of a folder, if it has any. What cannot be read says nothing. */
export async function readIgnoreRules(root: string, base: string): Promise<IgnoreRules | undefined> {
  const path = join(root, base, '.gitignore')
  try {
    const facts = await stat(path)
    if (!facts.isFile() || facts.size > MAX_BYTES) return undefined
    return { base, rules: ignore({ allowRelativePaths: true }).add(await readFile(path, 'utf8')) }
  } catch {
    return undefined
  }
}

/**
 * Whether git would leave a path out. The rules of the deepest folder that says anything decide.
 *
 * @param path relative to the workspace; with a slash at the end for a folder.
 */
export function isIgnored(path: string, all: readonly IgnoreRules[]): boolean {
  let ignored = false
  for (const { base, rules } of all) {
    const verdict = rules.test(path.slice(base.length))
    if (verdict.ignored) ignored = true
    else if (verdict.unignored) ignored = false
  }
  return ignored
}
