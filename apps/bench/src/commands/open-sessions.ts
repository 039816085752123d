import { type ReadSessions, readSessions } from '../sessions/read-sessions.ts'
import { UsageError } from './usage-error.ts'

/**
 * The sessions of a folder.
 *
 * @throws UsageError when there is none.
 */
export async function openSessions(folder: string): Promise<ReadSessions> {
  const read = await readSessions(folder)
  if (read.sessions.length > 0) return read
  const [first] = read.skipped
  const found =
    first === undefined
      ? 'it has no files'
      : `${read.skipped.length} files, none of them a session (${first.file}: ${first.reason})`
  throw new UsageError(
    `--data: no sessions in ${folder}: ${found}. Name a folder with files of pi, Claude Code, Codex, or OpenAI messages as JSON or JSONL`,
  )
}
