import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Transcript } from '@palimpsest/transcripts'

export async function recordingTime(path: string, recording: Recorded): Promise<number> {
  return earliestTime(recording) ?? Math.floor((await stat(path)).mtimeMs)
}

type Recorded = Pick<Transcript, 'entries' | 'startedAt'>

export function earliestTime({ entries, startedAt }: Recorded): number | undefined {
  const first = entries.find(({ timestamp }) => timestamp !== undefined)?.timestamp ?? startedAt
  return first && Math.min(first, startedAt ?? first)
}

export function sessionOf(path: string): string {
  return basename(path, extname(path))
}
