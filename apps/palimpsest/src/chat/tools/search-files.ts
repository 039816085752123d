import { lstat } from 'node:fs/promises'
import { errorText } from '@palimpsest/core'
import { z } from '@palimpsest/core/options'
import { type ByteSource, withTextFile } from './text-file.ts'
import { type ChatTool, defineTool, fileFault, ToolFault } from './tool.ts'
import { runBounded, TOOL_LIMITS, timeCheck } from './tool-limits.ts'
import { baseOf, matchGlob, walkFiles } from './walk-files.ts'
import type { Place, Workspace } from './workspace.ts'

const DESCRIPTION =
  'Finds lines that match a regular expression of JavaScript in the text files of the workspace. Files that .gitignore ' +
  'names are left out, unless path is such a file.'

const schema = z.object({
  pattern: z.string().min(1).max(1_000).describe('a regular expression of JavaScript, for one line'),
  path: z
    .string()
    .min(1)
    .optional()
    .describe('a file or folder, relative to the workspace; default: the workspace'),
  include: z.string().min(1).optional().describe('a glob for the files to search, such as *.ts'),
  ignore_case: z.boolean().optional().describe('true: capitals do not matter; default false'),
})

/** Files that are read at the same time: their order stays. */
const FILES_AT_ONCE = 8

const TOO_MANY = 'there are more; search a smaller folder, or for something rarer'

/** `characters`: of one result. */
export function createSearchFiles(workspace: Workspace, characters: number): ChatTool {
  return defineTool({
    name: 'search_files',
    description: DESCRIPTION,
    schema,
    summary: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
    async run({ pattern, path = '.', include, ignore_case: ignoreCase = false }, signal) {
      const expression = compile(pattern, ignoreCase)
      const check = timeCheck(signal, 'search a smaller folder, or fewer files with include')
      const places = await filesOf(workspace, await workspace.locate(path), include, check)
      const hits: string[] = []
      const notes: string[] = [...places.notes]
      let room = characters
      const { paths, isNamed } = places
      const search = { workspace, isNamed, expression, check }
      try {
        for (let at = 0; at < paths.length; at += FILES_AT_ONCE) {
          check()
          const files = paths.slice(at, at + FILES_AT_ONCE)
          for (const hit of (await Promise.all(files.map((shown) => searchFile(shown, search)))).flat()) {
            room -= hit.length + 1
            if (hits.length === TOOL_LIMITS.searchMatches || room < 0) throw new ToolFault(TOO_MANY)
            hits.push(hit)
          }
        }
      } catch (error) {
        // The hits found until then are worth more than the reason why some are missing.
        if (!(error instanceof ToolFault) || hits.length === 0) throw error
        notes.push(`not all is shown: ${error.message}`)
      }
      const ending = [`${hits.length} lines found in ${places.paths.length} files`, ...notes].join('; ')
      return [...hits, `(${ending})`].join('\n')
    },
  })
}

function compile(pattern: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(pattern, ignoreCase ? 'i' : '')
  } catch (cause) {
    throw new ToolFault(
      `the pattern is no regular expression of JavaScript (${errorText(cause)}); a backslash before a sign such as ( or [ makes it plain`,
      { cause },
    )
  }
}

interface SearchedFiles {
  readonly paths: readonly string[]
  /** Whether the model named this very file. */
  readonly isNamed: boolean
  readonly notes: readonly string[]
}

async function filesOf(
  workspace: Workspace,
  place: Place,
  include: string | undefined,
  check: () => void,
): Promise<SearchedFiles> {
  const facts = await lstat(place.path).catch((error: unknown) => {
    throw fileFault(place.shown, error)
  })
  if (!facts.isDirectory()) return { paths: [place.shown], isNamed: true, notes: [] }
  const { paths, isComplete } = await walkFiles(workspace, place, check)
  const notes = isComplete ? [] : [`only the first ${TOOL_LIMITS.walkFiles} files were looked at`]
  const chosen = include === undefined ? paths : matchGlob(paths, include, baseOf(place))
  return { paths: chosen, isNamed: false, notes }
}

interface FileSearch {
  readonly workspace: Workspace
  readonly isNamed: boolean
  readonly expression: RegExp
  readonly check: () => void
}

/** The lines of one file. One that is no text, or gone by now, has none, unless the model named it. */
async function searchFile(shown: string, search: FileSearch): Promise<string[]> {
  const { workspace, isNamed, expression, check } = search
  let isOpen = false
  try {
    const found = await withTextFile(await workspace.locate(shown), (source) => {
      isOpen = true
      return searchText(source, expression, TOOL_LIMITS.searchMatches + 1, check)
    })
    return found.map(({ line, text }) => `${shown.replace(/\p{Cc}/gu, '?')}:${line}: ${text}`)
  } catch (error) {
    if (isOpen || isNamed) throw error
    return []
  }
}

/** A line that matches. */
interface LineMatch {
  /** From 1. */
  readonly line: number
  readonly text: string
}

/** Characters that are shown of a long line, around what was found. */
const SHOWN = 300

/**
 * Finds the lines of a text that match, piece by piece, so that a file may be of any size. A line that is longer than a
 * piece is searched in pieces.
 *
 * @param limit lines to find at most.
 * @throws ToolFault when the pattern takes too long.
 */
async function searchText(
  source: ByteSource,
  pattern: RegExp,
  limit: number,
  check: () => void,
): Promise<LineMatch[]> {
  const decoder = new TextDecoder('utf-8')
  const matches: LineMatch[] = []
  let rest = ''
  let line = 1
  for (let position = 0; matches.length < limit; ) {
    check()
    const chunk = await source.read(position, TOOL_LIMITS.chunkBytes)
    const isEnd = chunk.length < TOOL_LIMITS.chunkBytes
    position += chunk.length
    const lines = (rest + decoder.decode(chunk, { stream: !isEnd })).split('\n')
    const last = lines.pop() ?? ''
    const isPiece = isEnd || last.length > TOOL_LIMITS.chunkBytes
    rest = isPiece ? '' : last
    if (isPiece && last !== '') lines.push(last)
    const found = isPlain(pattern)
      ? matching(lines, pattern)
      : runBounded(() => matching(lines, pattern), 'the pattern')
    for (const { index, text } of found.slice(0, limit - matches.length))
      matches.push({ line: line + index, text })
    line += lines.length
    if (isEnd) break
  }
  return matches
}

/** True for a pattern that cannot but be fast, because nothing in it can be tried in more than one way. */
function isPlain({ source }: RegExp): boolean {
  return !/[(*+{?]/.test(source)
}

function matching(
  lines: readonly string[],
  pattern: RegExp,
): { readonly index: number; readonly text: string }[] {
  const found: { index: number; text: string }[] = []
  for (const [index, ended] of lines.entries()) {
    const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended
    const at = line.search(pattern)
    if (at !== -1) found.push({ index, text: around(line, at) })
  }
  return found
}

function around(line: string, at: number): string {
  if (line.length <= SHOWN) return line
  const start = Math.max(0, at - SHOWN / 3)
  const end = start + SHOWN
  return `${start > 0 ? '…' : ''}${line.slice(start, end).toWellFormed()}${end < line.length ? '…' : ''}`
}
