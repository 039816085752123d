import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TokenCounter } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { readTranscript, type Transcript, TranscriptError } from '@palimpsest/transcripts'
import { counted } from '../count.ts'
import { printJson, printLines } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { type OnProgress, withProgress } from '../progress.ts'
import { isSystemError } from '../report-failure.ts'
import { UsageError } from '../usage-error.ts'
import { recordingTime, sessionOf } from './recording-time.ts'
import { type Spool, STANDARD_INPUT, withSpool } from './spool.ts'
import { type StoredRecording, storeRecording } from './store-recording.ts'
import { type OpenedStore, type StoreFlags, withStore } from './with-store.ts'

export interface ImportFlags extends StoreFlags {
  readonly session?: string
}

type Imported =
  | ({ readonly file: string; readonly session: string } & StoredRecording)
  | { readonly file: string; readonly sessions: number; readonly skipped: number }

export async function importFiles(paths: readonly string[], flags: ImportFlags): Promise<number> {
  return withSpool(async (spool) => importRecordings(await findRecordings(paths, spool), flags))
}

async function importRecordings(recordings: readonly Recording[], flags: ImportFlags): Promise<number> {
  checkSessions(recordings, flags.session)
  const tokens = createTokenCounter()
  return withStore(flags, 'create', async (opened) => {
    const imported: Imported[] = []
    const skipped: { file: string; reason: string }[] = []
    for (const recording of recordings) {
      try {
        const result = await importOne(opened, recording, flags, tokens)
        imported.push(result)
        if (!flags.json) printLines(describe(result))
      } catch (error) {
        // A folder may contain other files, unreadable ones, and another conversation of a known name.
        if (!recording.isListed || !isOfFile(error)) throw error
        skipped.push({ file: recording.name, reason: error.message })
        process.stderr.write(`palimpsest: skipped: ${printable(error.message)}\n`)
      }
    }
    if (imported.length === 0)
      throw new UsageError('no session was found to import; name session files, folders or exports')
    if (flags.json) printJson({ store: opened.place.name, imported, skipped })
    return 0
  })
}

function isOfFile(error: unknown): error is Error {
  return TranscriptError.isInstance(error) || error instanceof UsageError || isSystemError(error)
}

function checkSessions(recordings: readonly Recording[], session: string | undefined): void {
  const sessions = recordings.filter(({ isExport }) => !isExport)
  if (session !== undefined && (recordings.length !== 1 || sessions.length !== 1))
    throw new UsageError(
      '--session names the session of one recording; an export and several files have their own',
    )
  if (session !== undefined) return
  const files = new Map<string, string>()
  for (const { name, path } of sessions) {
    if (name !== path)
      throw new UsageError(`${name} has no name for a session: give the recording one with --session <id>`)
    const other = files.get(sessionOf(path))
    if (other !== undefined)
      throw new UsageError(
        `${other} and ${path} would both be the session "${sessionOf(path)}"; import them one by one with --session`,
      )
    files.set(sessionOf(path), path)
  }
}

async function importOne(
  { store, principal }: OpenedStore,
  recording: Recording,
  flags: ImportFlags,
  tokens: TokenCounter,
): Promise<Imported> {
  const { path, name: file } = recording
  if (recording.isExport) {
    const { imported, skipped } = await store.import(() => readTextLines(path))
    return { file, sessions: imported.length, skipped: skipped.length }
  }
  const key = flags.session ?? sessionOf(path)
  const transcript = await withProgress('reading', (onProgress) => readRecording(recording, onProgress))
  const { entries, malformed } = transcript
  if (malformed.length > 0)
    process.stderr.write(`${file}: ${counted(malformed.length, 'malformed line')} skipped\n`)
  const at = await recordingTime(path, transcript)
  const session = await store.session({ principal, key }, at)
  const stored = await withProgress('storing', (onProgress) =>
    storeRecording({
      ...{ session, entries, tokens, at },
      onProgress: (done) => onProgress(done, entries.length),
    }),
  )
  return { file, session: key, ...stored }
}

async function readRecording({ path, name }: Recording, onProgress: OnProgress): Promise<Transcript> {
  try {
    return await readTranscript(path, { onProgress })
  } catch (cause) {
    if (path === name || !TranscriptError.isInstance(cause)) throw cause
    throw new UsageError(cause.message.replaceAll(path, name), { cause })
  }
}

function describe(imported: Imported): string {
  if ('sessions' in imported) {
    const { file, sessions, skipped } = imported
    const known = skipped === 0 ? '' : `; ${counted(skipped, 'session')} known`
    const what = sessions === 0 ? 'nothing new' : counted(sessions, 'new session')
    return `${printable(file)}: an export, ${what}${known}`
  }
  const { session, known, added, replaced, further } = imported
  const parts = [
    added === 0 ? 'nothing new' : `${counted(added, 'new message')}`,
    ...(known > 0 ? [`${counted(known, 'message')} known`] : []),
    ...(replaced > 0
      ? [`the file has changed: ${counted(replaced, 'older message')} replaced, and kept in the store`]
      : []),
    ...(further > 0 ? [`the session goes on with ${counted(further, 'message')} after the file's end`] : []),
  ]
  return `${printable(session)}: ${parts.join(', ')}`
}

/**
 * Only a line feed ends a line: JSON texts may contain Unicode's other line breaks, at which `node:readline` splits.
 */
async function* readTextLines(path: string): AsyncGenerator<string> {
  let begun: string[] = []
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...rest] = chunk.split('\n')
    begun.push(first)
    for (const part of rest) {
      yield begun.join('')
      begun = [part]
    }
  }
  const last = begun.join('')
  if (last !== '') yield last
}

interface Recording {
  readonly path: string
  readonly name: string
  readonly isListed: boolean
  readonly isExport: boolean
}

const EXPORT_START = /^\s*\{\s*"type"\s*:\s*"(?:export"|session"\s*,\s*"principal"\s*:)/
const START_BYTES = 200

async function findRecordings(paths: readonly string[], spool: Spool): Promise<Recording[]> {
  const recordings: Recording[] = []
  const add = async (path: string, name: string, isListed: boolean) =>
    recordings.push({
      ...{ path, name, isListed },
      isExport: await isExport(path).catch(() => false),
    })
  for (const path of paths) {
    if (path === STANDARD_INPUT) {
      await add(await spool(path), 'standard input', false)
      continue
    }
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) throw new UsageError(`${path} does not exist; check the path`)
    if (found.isDirectory()) for (const file of await filesIn(path)) await add(file, file, true)
    else await add(found.isFile() ? path : await spool(path), path, false)
  }
  return recordings
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
    throw new UsageError(`${folder} cannot be read (${cause.code}); check its permissions`, { cause })
  })
  const names = entries.filter((entry) => !entry.isDirectory() && /\.jsonl?$/i.test(entry.name))
  if (names.length === 0)
    throw new UsageError(`${folder} has no session file (.jsonl or .json); name another folder`)
  return names.map(({ name }) => join(folder, name)).sort()
}

async function isExport(path: string): Promise<boolean> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
    return EXPORT_START.test(buffer.toString('latin1', 0, bytesRead))
  } finally {
    await handle.close()
  }
}
