import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Transcript } from '@palimpsest/transcripts'

/** When a recording began: its earliest time, else when its file was written. */
export async function recordingTime(path: string, recording: Recorded): Promise<number> {
  return earliestTime(recording) ?? Math.floor((await stat(path)).mtimeMs)
}

type Recorded = Pick<Transcript, 'entries' | 'startedAt'>

/** A header may be younger than the first message, which a session that was taken over keeps. */
export function earliestTime({ entries, startedAt }: Recorded): number | undefined {
  const first = entries.find(({ timestamp }) => timestamp !== undefined)?.timestamp ?? startedAt
  return first && Math.min(first, startedAt ?? first)
}

/** The session of a recording, unless it is named: the file's name without its extension. */
export function sessionOf(path: string): string {
  return basename(path, extname(path))
}
