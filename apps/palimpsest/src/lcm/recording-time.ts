import { stat } from 'node:fs/promises'

/** The time of messages that a recording has none for: when it began, else when its file was written. */
export async function recordingTime(path: string, startedAt: number | undefined): Promise<number> {
  return startedAt ?? Math.floor((await stat(path)).mtimeMs)
}
