import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { freezeMessage, type Message } from '@palimpsest/core'
import {
  type NativeCompaction,
  readTranscript,
  type TranscriptEntry,
  TranscriptError,
} from '@palimpsest/transcripts'

export interface RecordedSession {
  /** The file's name without its ending. */
  readonly name: string
  readonly messages: readonly Message[]
  readonly entries: readonly TranscriptEntry[]
  /** Compactions that the recorded host did by itself. */
  readonly nativeCompactions: readonly NativeCompaction[]
  readonly model?: string
}

export interface ReadSessions {
  readonly sessions: readonly RecordedSession[]
  /** Files that are no sessions, each with the reason. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[]
}

/** Every session file of a folder. Folders in it are not entered. */
export async function readSessions(folder: string): Promise<ReadSessions> {
  const found = await readdir(folder, { withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).map(({ name }) => name)
  const sessions: RecordedSession[] = []
  const skipped: { file: string; reason: string }[] = []
  for (const file of files.sort()) {
    try {
      sessions.push(await readSession(join(folder, file)))
    } catch (error) {
      if (!TranscriptError.isInstance(error)) throw error
      skipped.push({ file, reason: error.code })
    }
  }
  return { sessions, skipped }
}

/** @throws TranscriptError when it is no session. */
export async function readSession(path: string): Promise<RecordedSession> {
  const { entries, nativeCompactions, model } = await readTranscript(path)
  return {
    name: parse(path).name,
    messages: entries.map(({ message }) => freezeMessage(message)),
    entries,
    nativeCompactions,
    ...(model !== undefined && { model }),
  }
}
