import { z } from '@palimpsest/core/options'
import { type LineRange, readLastLines, readLines } from './read-lines.ts'
import { withTextFile } from './text-file.ts'
import { type ChatTool, defineTool } from './tool.ts'
import { TOOL_LIMITS, timeCheck } from './tool-limits.ts'
import type { Workspace } from './workspace.ts'

const DESCRIPTION =
  'Reads lines of a text file in the workspace. Each line is shown behind its number and a tab, which are not part of ' +
  'the file. A long file is shown in part, and the end of the result says how to see more.'

const schema = z.object({
  path: z.string().min(1).describe('the file, relative to the workspace'),
  offset: z
    .int()
    .optional()
    .describe('number of the first line, from 1; -50 shows the last 50 lines; default 1'),
  limit: z.int().min(1).max(10_000).optional().describe('how many lines at most'),
})

/** `characters`: of one result. */
export function createReadFile(workspace: Workspace, characters: number): ChatTool {
  return defineTool({
    name: 'read_file',
    description: DESCRIPTION,
    schema,
    summary: ({ path, offset }) => (offset === undefined ? path : `${path} from line ${offset}`),
    async run({ path, offset = 1, limit = TOOL_LIMITS.readLines }, signal) {
      const place = await workspace.locate(path)
      const check = timeCheck(signal, 'search_files finds a place in it, a negative offset shows its end')
      return withTextFile(place, async (source) => {
        if (source.size === 0) return `(${place.shown} is empty)`
        const bounds = { characters, check }
        const range =
          offset < 0
            ? await readLastLines(source, { ...bounds, count: Math.min(-offset, limit) })
            : await readLines(source, { ...bounds, from: Math.max(1, offset), count: limit })
        return render(range, place.shown)
      })
    },
  })
}

function render({ lines, first, isEnd, total }: LineRange, shown: string): string {
  if (lines.length === 0) return `(${shown} has only ${total} lines)`
  const numbered = lines.map((line, index) => (first === undefined ? line : `${first + index}\t${line}`))
  return [...numbered, ending({ lines, first, isEnd, total })].join('\n')
}

function ending({ lines, first, isEnd, total }: LineRange): string {
  if (first === undefined) return '(the end of the file; a negative offset with a greater number shows more)'
  const last = first + lines.length - 1
  if (!isEnd) return `(lines ${first} to ${last}; the file goes on: offset ${last + 1} shows more)`
  return first === 1 ? `(the whole file: ${total} lines)` : `(the end of the file: ${total} lines)`
}
