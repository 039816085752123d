import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileFault } from './file-fault.ts'
import { type IgnoreRules, isIgnored, readIgnoreRules } from './ignored-paths.ts'
import { TOOL_LIMITS } from './tool-limits.ts'
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
