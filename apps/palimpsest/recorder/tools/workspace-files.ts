import { readdirSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'

/** The absolute path of a workspace path. Throws if it points outside of the workspace. */
export function inWorkspace(root: string, path: unknown): string {
  const absolute = resolve(root, String(path))
  if (absolute !== root && !absolute.startsWith(root + sep))
    throw new Error(`${path} is outside of the workspace`)
  return absolute
}

/** Every file under a folder, as workspace paths in code unit order: the order must not depend on the file system. */
export function listFiles(root: string, folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort()
}
