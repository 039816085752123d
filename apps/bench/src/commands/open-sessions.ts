import { fileURLToPath } from 'node:url'
import { type ReadSessions, readSessions } from '../sessions/read-sessions.ts'
import { UsageError } from './usage-error.ts'

/** Where the bundled session lies, seen from the bench's folder. */
const BUNDLED = '../palimpsest/sessions'

export interface OpenedSessions extends ReadSessions {
  readonly folder: string
}

/**
 * The sessions of a folder; without one, the bundled session. `root`: the bench's folder.
 *
 * @throws UsageError when there is none.
 */
export async function openSessions(data: string | undefined, root: URL): Promise<OpenedSessions> {
  const folder = data ?? fileURLToPath(new URL(BUNDLED, root))
  const read = await readSessions(folder)
  if (read.sessions.length > 0) return { ...read, folder }
  const [first] = read.skipped
  const found =
    first === undefined
      ? 'it has no files'
      : `${read.skipped.length} files, none of them a session (${first.file}: ${first.reason})`
  throw new UsageError(
    `--data: no sessions in ${folder}: ${found}. Name a folder with files of pi, Claude Code, Codex, or messages of OpenAI or Anthropic as JSON or JSONL`,
  )
}
