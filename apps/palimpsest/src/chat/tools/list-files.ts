import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from '@palimpsest/core/options'
import { shownSize } from './text-file.ts'
import { type ChatTool, defineTool, fileFault } from './tool.ts'
import { TOOL_LIMITS, timeCheck } from './tool-limits.ts'
import { baseOf, isIgnored, matchGlob, readIgnoreRules, rulesAbove, walkFiles } from './walk-files.ts'
import type { Place, Workspace } from './workspace.ts'

const DESCRIPTION =
  'Lists what is in a folder of the workspace, or with a pattern all files below it that match. Files that .gitignore ' +
  'names are left out.'

const schema = z.object({
  path: z
    .string()
    .min(1)
    .optional()
    .describe('the folder, relative to the workspace; default: the workspace'),
  pattern: z
    .string()
    .min(1)
    .optional()
    .describe('a glob below that folder, such as *.ts (in any folder) or src/**/*.{ts,tsx}'),
  offset: z.int().min(0).optional().describe('how many entries to pass over; default 0'),
})

/** `characters`: of one result. */
export function createListFiles(workspace: Workspace, characters: number): ChatTool {
  return defineTool({
    name: 'list_files',
    description: DESCRIPTION,
    schema,
    summary: ({ path = '.', pattern }) => (pattern === undefined ? path : `${pattern} in ${path}`),
    async run({ path = '.', pattern, offset = 0 }, signal) {
      const folder = await workspace.locate(path)
      if (pattern === undefined) return page(await entriesOf(workspace, folder), offset, characters, '')
      const check = timeCheck(signal, 'name a smaller folder as path')
      const { paths, isComplete } = await walkFiles(workspace, folder, check)
      const found = matchGlob(paths, pattern, baseOf(folder))
      const note = isComplete ? '' : `; only the first ${TOOL_LIMITS.walkFiles} files were looked at`
      return page(found, offset, characters, note)
    },
  })
}

/** The entries of a folder itself: folders with a slash, files with their size, links with where they lead. */
async function entriesOf(workspace: Workspace, folder: Place): Promise<string[]> {
  const entries = await readdir(folder.path, { withFileTypes: true }).catch((error: unknown) => {
    throw fileFault(folder.shown, error)
  })
  const own = await readIgnoreRules(workspace.root, baseOf(folder))
  const rules = [...(await rulesAbove(workspace, folder)), ...(own === undefined ? [] : [own])]
  const lines: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${baseOf(folder)}${entry.name}`
    if (entry.isDirectory()) {
      if (entry.name !== '.git' && !isIgnored(`${path}/`, rules)) lines.push(`${path}/`)
    } else if (!isIgnored(path, rules))
      lines.push(`${path}${await detail(entry, join(folder.path, entry.name))}`)
  }
  return lines
}

async function detail(
  entry: { isFile(): boolean; isSymbolicLink(): boolean },
  path: string,
): Promise<string> {
  if (entry.isSymbolicLink()) return ' (link)'
  if (!entry.isFile()) return ' (no file)'
  const size = await stat(path).then(
    (facts) => shownSize(facts.size),
    () => 'gone',
  )
  return ` (${size})`
}

function page(entries: readonly string[], offset: number, characters: number, note: string): string {
  if (entries.length === 0) return `(nothing found${note})`
  const shown: string[] = []
  let room = characters
  for (const entry of entries.slice(offset, offset + TOOL_LIMITS.listEntries)) {
    // A name may contain what a terminal or a model takes for a line break.
    const line = entry.replace(/\p{Cc}/gu, '?')
    room -= line.length + 1
    if (room < 0) break
    shown.push(line)
  }
  const next = offset + shown.length
  const rest = entries.length - next
  if (shown.length === 0) return `(there are only ${entries.length} entries${note})`
  const ending = rest > 0 ? `${rest} more: offset ${next} shows them` : `${entries.length} in all`
  return [...shown, `(${ending}${note})`].join('\n')
}
