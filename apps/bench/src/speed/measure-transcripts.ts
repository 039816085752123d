import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message } from '@palimpsest/core'
import { readTranscript } from '@palimpsest/transcripts'
import { parseFloor } from './measure-reading.ts'
import { PARSE, ratioRow } from './ratio-row.ts'
import type { RatioRow } from './speed-report.ts'
import { timePair } from './time.ts'

/** A conversation to be read back from a file. */
export interface NamedMessages {
  readonly name: string
  readonly messages: readonly Message[]
}

/** Reading each conversation from a file of OpenAI-style lines, against parsing the same lines, which are in memory already. */
export async function measureTranscripts(
  conversations: readonly NamedMessages[],
  runs: number,
): Promise<RatioRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-bench-'))
  const path = join(folder, 'session.jsonl')
  const rows: RatioRow[] = []
  try {
    for (const { name, messages } of conversations) {
      await writeFile(path, messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
      const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
      const read = { prepare: () => path, run: (file: string) => readTranscript(file) }
      const input = {
        group: 'transcripts',
        operation: `read a session file: ${name}`,
        messages: messages.length,
        against: PARSE,
      }
      rows.push(ratioRow(input, await timePair(read, parseFloor(lines), runs, 1)))
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  return rows
}
