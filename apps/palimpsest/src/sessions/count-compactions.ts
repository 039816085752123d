import { createReadStream } from 'node:fs'
import { listOpencodeSessions } from '@palimpsest/transcripts'
import type { AgentName } from './agents.ts'
import type { SessionFile } from './find-session-files.ts'
import { databaseOf } from './read-start.ts'

/** The marks of a compaction in the files of each agent. In the text of a message the quotes are escaped. */
const MARKS: Readonly<Record<Exclude<AgentName, 'opencode'>, string>> = {
  'claude-code': '"subtype":"compact_boundary"',
  codex: '"type":"compacted"',
  pi: '"type":"compaction"',
}

/** The compactions that an agent made in a session. A file that cannot be read has none. */
export async function countCompactions({
  agent,
  path,
}: Pick<SessionFile, 'agent' | 'path'>): Promise<number> {
  try {
    if (agent !== 'opencode') return await countIn(path, Buffer.from(MARKS[agent]))
    const [session] = await listOpencodeSessions(...databaseOf(path))
    return session?.compactions ?? 0
  } catch {
    return 0
  }
}

async function countIn(path: string, mark: Buffer): Promise<number> {
  let count = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const block of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, block as Buffer])
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) count++
    // A mark may begin here and end in the next block.
    rest = bytes.subarray(Math.max(0, bytes.length - mark.length + 1))
  }
  return count
}
