import { readLines } from '../tools/read-lines.ts'
import { withTextFile } from '../tools/with-text-file.ts'
import type { Workspace } from '../tools/workspace.ts'

/** Characters of `AGENTS.md` that go into every prompt. */
const MAX_CHARACTERS = 16_000

export interface WorkspaceInstructions {
  readonly text: string | undefined
  readonly warnings: readonly string[]
}

/** Reads `AGENTS.md`: its beginning when it is long, nothing when there is none or it cannot be read. */
export async function workspaceInstructions(workspace: Workspace): Promise<WorkspaceInstructions> {
  try {
    const place = await workspace.locate('AGENTS.md')
    if (!place.exists) return { text: undefined, warnings: [] }
    const bounds = { from: 1, count: MAX_CHARACTERS, characters: MAX_CHARACTERS, check: () => {} }
    const { lines, isEnd } = await withTextFile(place, (source) => readLines(source, bounds))
    const text = lines.join('\n').replaceAll('</agents_md>', '').trim()
    const cut = `only the beginning of AGENTS.md goes into the prompt (${MAX_CHARACTERS} characters)`
    return { text: text === '' ? undefined : text, warnings: isEnd ? [] : [cut] }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { text: undefined, warnings: [`AGENTS.md is not read: ${why}`] }
  }
}
