import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { fileFault, ToolFault } from './tool.ts'
import { runBounded, TOOL_LIMITS } from './tool-limits.ts'
import type { Place, Workspace } from './workspace.ts'

/** The files of a folder and of all below it. */
export interface FoundFiles {
  /** Relative to the workspace, sorted folder by folder. */
  readonly paths: readonly string[]
  /** False when there are more than a person looks at. */
  readonly isComplete: boolean
}

/**
 * Lists the files that git would track: `.gitignore` is honoured, `.git` left out. Links are not followed.
 *
 * @throws ToolFault when the folder cannot be read; one below it that cannot is left out.
 */
export async function walkFiles(workspace: Workspace, folder: Place, check: () => void): Promise<FoundFiles> {
  const paths: string[] = []
  let isComplete = true

  const visit = async (base: string, above: readonly IgnoreRules[]): Promise<void> => {
    check()
    const entries = await readdir(join(workspace.root, base), { withFileTypes: true }).catch(
      (error: unknown) => {
        if (base === baseOf(folder)) throw fileFault(folder.shown, error)
        return []
      },
    )
    const own = await readIgnoreRules(workspace.root, base)
    const rules = own === undefined ? above : [...above, own]
    for (const entry of entries.sort(byName)) {
      if (!isComplete) return
      const path = `${base}${entry.name}`
      if (entry.isDirectory()) {
        if (entry.name !== '.git' && !isIgnored(`${path}/`, rules)) await visit(`${path}/`, rules)
      } else if (entry.isFile() && !isIgnored(path, rules)) {
        if (paths.length === TOOL_LIMITS.walkFiles) isComplete = false
        else paths.push(path)
      }
    }
  }

  await visit(baseOf(folder), await rulesAbove(workspace, folder))
  return { paths, isComplete }
}

/** The folder as the beginning of the paths in it. */
export function baseOf({ shown }: Place): string {
  return shown === '.' ? '' : `${shown}/`
}

/** The rules of all folders above one, from the workspace down. */
export async function rulesAbove(workspace: Workspace, { shown }: Place): Promise<IgnoreRules[]> {
  const names = shown === '.' ? [] : shown.split('/')
  const bases = names.map((_, index) =>
    names
      .slice(0, index)
      .map((name) => `${name}/`)
      .join(''),
  )
  const rules = await Promise.all(bases.map((base) => readIgnoreRules(workspace.root, base)))
  return rules.filter((found) => found !== undefined)
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1
}

/** The rules of one folder's `.gitignore`; they hold below it. */
interface IgnoreRules {
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
