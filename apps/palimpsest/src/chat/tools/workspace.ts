import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { UsageError } from '../../usage-error.ts'
import { fileFault, ToolFault } from './tool.ts'

export interface Workspace {
  readonly root: string
  /**
   * Resolves a path and its links. Tools use the result instead of the given path, so that the checked path is the used
   * one.
   */
  locate(path: string): Promise<Place>
}

export interface Place {
  readonly path: string
  readonly shown: string
  readonly exists: boolean
}

export async function openWorkspace(folder: string): Promise<Workspace> {
  const root = await realpath(folder).catch(() => undefined)
  const isFolder = root !== undefined && (await stat(root)).isDirectory()
  if (!isFolder) throw new UsageError(`the workspace ${folder} is not a folder; name one with --workspace`)
  return { root, locate: (path) => locate(root, path) }
}

async function locate(root: string, path: string): Promise<Place> {
  if (path.includes('\0')) throw new ToolFault('a path cannot contain a NUL character; leave it out')
  assertPlainNames(path)
  const asked = resolve(root, path)
  // Checked first: the caller must not learn which files exist elsewhere.
  if (!isInside(root, asked)) throw outside(path)
  const found = await follow(asked, path)
  if (!isInside(root, found.path)) throw outside(path)
  return { ...found, shown: relative(root, found.path).replaceAll(sep, '/') || '.' }
}

async function follow(asked: string, path: string): Promise<Omit<Place, 'shown'>> {
  const missing: string[] = []
  for (let at = asked; ; at = dirname(at)) {
    try {
      return { path: join(await realpath(at), ...missing), exists: missing.length === 0 }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' || at === dirname(at)) throw fileFault(path, error)
      // An existing path that cannot be resolved is a dangling link: writing would create its target.
      const isLink = (await lstat(at).catch(() => undefined)) !== undefined
      if (isLink) throw new ToolFault(`${path}: a link on this path points nowhere; name another path`)
      missing.unshift(basename(at))
    }
  }
}

/** `:` starts a stream of a file, and Windows drops trailing dots and spaces: `.git::$INDEX_ALLOCATION`, `.git.` */
const OTHER_NAME = /[. ]$|:/

/** Refuses names that mean another file on Windows. */
export function assertPlainNames(path: string, platform = process.platform): void {
  if (platform !== 'win32') return
  const names = path.replace(/^[a-z]:(?=[\\/])/i, '').split(/[\\/]/)
  const other = names.find((name) => name !== '.' && name !== '..' && OTHER_NAME.test(name))
  if (other !== undefined)
    throw new ToolFault(
      `"${other}" names another file on Windows; leave out ":", and dots and blanks at the end`,
    )
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

function outside(path: string): ToolFault {
  return new ToolFault(
    `${path} is outside the workspace, and tools work inside it only; give a path relative to the workspace`,
  )
}
