import { readdir, readFile } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { createContext, Script } from 'node:vm'
import { errorText } from '@palimpsest/core'
import { z } from '@palimpsest/core/options'
import ignore, { type Ignore } from 'ignore'
import { readText } from './text-file.ts'
import { type ChatTool, defineTool, fileFault, ToolFault } from './tool.ts'
import type { Place, Workspace } from './workspace.ts'

const LIST_ENTRIES = 500
const SEARCH_LINES = 200
const MAX_FILES = 20_000
const LINE_CHARACTERS = 300
/** Time limit of a pattern on one file or list in milliseconds, because some would backtrack for years. */
const PATTERN_TIME = 500

const path = z.string().min(1).optional()
const glob = z.string().min(1).max(500).optional()

export function createListFiles(workspace: Workspace, characters: number): ChatTool {
  return defineTool({
    name: 'list_files',
    description:
      'Lists what is in a folder of the workspace, or with a pattern all files below it that match. Files that .gitignore ' +
      'names are left out.',
    schema: z.object({
      path: path.describe('the folder, relative to the workspace; default: the workspace'),
      pattern: glob.describe('a glob below that folder, such as *.ts (in any folder) or src/**/*.{ts,tsx}'),
    }),
    summary: ({ path = '.', pattern }) => (pattern === undefined ? path : `${pattern} in ${path}`),
    async run({ path = '.', pattern }, signal) {
      const folder = await workspace.locate(path)
      const isIgnored = ignoreRules(workspace.root)
      const found =
        pattern === undefined
          ? (await entriesOf(workspace.root, baseOf(folder), isIgnored)).map(({ path }) => path)
          : matching(await filesBelow(workspace.root, folder, signal), pattern, folder)
      const { shown, isWhole } = bounded(found, LIST_ENTRIES, characters)
      const note = isWhole ? `${found.length} in all` : `${found.length - shown.length} more are not shown`
      return [...shown, `(${note})`].join('\n')
    },
  })
}

export function createSearchFiles(workspace: Workspace, characters: number): ChatTool {
  return defineTool({
    name: 'search_files',
    description:
      'Finds lines that match a regular expression of JavaScript in the text files of the workspace. Files that .gitignore ' +
      'names are left out, unless path is such a file.',
    schema: z.object({
      pattern: z.string().min(1).max(1_000).describe('a regular expression of JavaScript, for one line'),
      path: path.describe('a file or folder, relative to the workspace; default: the workspace'),
      include: glob.describe('a glob for the files to search, such as *.ts'),
      ignore_case: z.boolean().optional().describe('true: capitals do not matter; default false'),
    }),
    summary: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
    async run({ pattern, path = '.', include, ignore_case: ignoreCase = false }, signal) {
      const expression = compile(pattern, ignoreCase)
      const place = await workspace.locate(path)
      const files = await filesBelow(workspace.root, place, signal)
      const searched = include === undefined ? files : matching(files, include, place)
      const hits: string[] = []
      for (const file of searched) {
        signal.throwIfAborted()
        if (hits.length > SEARCH_LINES) break
        const text = await workspace
          .locate(file)
          .then(readText)
          // A file that is not text is skipped unless the model named it.
          .catch((error) => (file === place.shown ? Promise.reject(error) : ''))
        hits.push(...linesMatching(text, expression).map((line) => `${file}:${line}`))
      }
      const { shown, isWhole } = bounded(hits, SEARCH_LINES, characters)
      const note = isWhole
        ? `${hits.length} lines found in ${searched.length} files`
        : 'there are more; search a smaller folder, or for something rarer'
      return [...shown, `(${note})`].join('\n')
    },
  })
}

function bounded(lines: readonly string[], most: number, characters: number) {
  const shown: string[] = []
  let room = characters
  for (const line of lines.slice(0, most)) {
    // A name may contain characters that break a line.
    const plain = line.replace(/\p{Cc}/gu, '?')
    room -= plain.length + 1
    if (room < 0) break
    shown.push(plain)
  }
  return { shown, isWhole: shown.length === lines.length }
}

function baseOf({ shown }: Place): string {
  return shown === '.' ? '' : `${shown}/`
}

type IsIgnored = (path: string) => Promise<boolean>

function ignoreRules(root: string): IsIgnored {
  const known = new Map<string, Promise<Ignore | undefined>>()
  const rulesOf = (base: string): Promise<Ignore | undefined> => {
    const read =
      known.get(base) ??
      readFile(join(root, base, '.gitignore'), 'utf8').then(
        (text) => ignore({ allowRelativePaths: true }).add(text),
        () => undefined,
      )
    known.set(base, read)
    return read
  }
  return async (path) => {
    let isIgnored = /(^|\/)\.git\/$/.test(path)
    const names = path.split('/').slice(0, path.endsWith('/') ? -2 : -1)
    // The deepest folder with a matching rule decides.
    for (const base of ['', ...names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`)]) {
      const verdict = (await rulesOf(base))?.test(path.slice(base.length))
      if (verdict?.ignored) isIgnored = true
      else if (verdict?.unignored) isIgnored = false
    }
    return isIgnored
  }
}

interface Entry {
  readonly path: string
  readonly isFile: boolean
}

async function entriesOf(root: string, base: string, isIgnored: IsIgnored): Promise<Entry[]> {
  const entries = await readdir(join(root, base), { withFileTypes: true }).catch((error) => {
    throw fileFault(base === '' ? '.' : base, error)
  })
  const found: Entry[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${base}${entry.name}${entry.isDirectory() ? '/' : ''}`
    if (!(await isIgnored(path))) found.push({ path, isFile: entry.isFile() })
  }
  return found
}

async function filesBelow(root: string, place: Place, signal: AbortSignal): Promise<string[]> {
  const isIgnored = ignoreRules(root)
  const files: string[] = []
  const visit = async (base: string): Promise<void> => {
    signal.throwIfAborted()
    for (const { path, isFile } of await entriesOf(root, base, isIgnored)) {
      if (files.length === MAX_FILES)
        throw new ToolFault(`there are more than ${MAX_FILES} files; name a smaller folder`)
      if (path.endsWith('/')) await visit(path)
      else if (isFile) files.push(path)
    }
  }
  try {
    await visit(baseOf(place))
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    if (code === 'ENOTDIR' && files.length === 0) return [place.shown]
    throw error
  }
  return files
}

function matching(paths: readonly string[], pattern: string, folder: Place): string[] {
  const whole = pattern.includes('/') ? pattern.replace(/^\.?\//, '') : `**/${pattern}`
  const base = baseOf(folder)
  return inTime(() => paths.filter((path) => matchesGlob(path.slice(base.length), whole)))
}

function compile(pattern: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(pattern, ignoreCase ? 'i' : '')
  } catch (cause) {
    throw new ToolFault(
      `the pattern is not a JavaScript regular expression (${errorText(cause)}); a backslash before a sign such as ( or [ makes it plain`,
      { cause },
    )
  }
}

function linesMatching(text: string, expression: RegExp): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return inTime(() =>
    lines.flatMap((line, index) => {
      const at = line.search(expression)
      return at === -1 ? [] : [`${index + 1}: ${around(line, at)}`]
    }),
  )
}

function around(line: string, at: number): string {
  if (line.length <= LINE_CHARACTERS) return line
  const start = Math.max(0, at - LINE_CHARACTERS / 3)
  const end = start + LINE_CHARACTERS
  return `${start > 0 ? '…' : ''}${line.slice(start, end).toWellFormed()}${end < line.length ? '…' : ''}`
}

const sandbox: { work: () => void } = { work: () => {} }
const context = createContext(sandbox)
const script = new Script('work()')

/** Interrupts a pattern even while it backtracks. */
function inTime<T>(work: () => T): T {
  let result: { readonly value: T } | undefined
  sandbox.work = () => {
    result = { value: work() }
  }
  try {
    script.runInContext(context, { timeout: PATTERN_TIME })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
  }
  if (result !== undefined) return result.value
  throw new ToolFault('the pattern takes too long; avoid repetition within repetition, such as (a+)+')
}
