import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { errorText, redactSecrets, type Store } from '@palimpsest/core'
import type { ReadableSessions, SessionsCall } from '@palimpsest/lcm'
import { agentSessionHolds, databasePlace, listAgentSessions } from '@palimpsest/transcripts'
import { isOwnUser, makeHomeFolder } from '../home-folder.ts'
import type { AgentName } from '../sessions/agents.ts'
import { findSessionFiles, type SessionFile, type Unread } from '../sessions/find-session-files.ts'
import { shorten } from '../sessions/listed-session.ts'
import { readStart } from '../sessions/read-start.ts'
import { HASHED, sessionStart } from '../sessions/session-start.ts'
import { openStore } from '../stores/open-store.ts'
import { filePlace } from '../stores/store-place.ts'
import { type IndexedFile, type IndexFile, openIndexFile } from './index-file.ts'
import { indexSessionFile } from './index-session-file.ts'
import { fileOf } from './session-source.ts'

export type RecallScope = 'project' | 'session' | 'all'

interface SessionIndexOptions {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly scope: RecallScope
  /** The only one whose sessions are read. Default: all. */
  readonly agent?: AgentName | undefined
  readonly project: string
  readonly asking?: string | undefined
  readonly branches?: 'last' | 'all'
  readonly log: (line: string) => void
  /** Time limit of an update within a call, in milliseconds. Default 8,000: scanning 1 GB takes 2,000 to 4,000. */
  readonly patience?: number
}

const PATIENCE = 8_000
const SCAN_SHARE = 0.75
const LEAST_SCANNED = 4
const SHOWN = 200
const GONE = new Set<string | undefined>(['ENOENT', 'TRANSCRIPT_NOT_FOUND'])

export async function openSessionIndex(options: SessionIndexOptions) {
  const { folder, env, log, branches = 'last', patience = PATIENCE } = options
  makeHomeFolder(folder)
  const path = join(folder, 'sessions.db')
  const isEmpty = !existsSync(path)
  const store = await openStore(filePlace(path))
  const index = openIndexFile(join(folder, 'files.db'))
  // Files that were stored in a deleted store are read again.
  if (isEmpty) for (const { path } of index.read()) index.remove(path)
  const project = realPath(options.project)
  let calls = 0
  let begun = 0
  let closed = false
  let queue: Promise<unknown> = Promise.resolve()
  const failed = new Map<string, string>()
  const partly = new Map<string, string>()

  /** One file at a time, because two readers of one file would conflict. */
  const update = ({ row }: Known, isOver: () => boolean): Promise<boolean> => {
    const run = queue.then(async () => {
      if (isOver() || !(await isOwn(row))) return false
      const now = index.find(row.path) ?? row
      try {
        const next = await indexSessionFile(now, store, { isOver, branches })
        if (next !== now) index.write([next])
        failed.delete(row.path)
        partly.set(row.path, next.unread)
        return next !== now
      } catch (error) {
        // Another process reads the same file, or it was just removed.
        const { code } = error as NodeJS.ErrnoException
        if (code === 'STORE_CONFLICT' || GONE.has(code) || failed.has(row.path)) return false
        const reason = redactSecrets(errorText(error)).slice(0, SHOWN)
        failed.set(row.path, reason)
        log(`${row.path} was not indexed: ${reason}`)
        return false
      }
    })
    queue = run.catch(() => {})
    return run
  }

  let places: readonly Unread[] = []
  const look = async () => {
    const { known, unread } = await knownFiles(env, options.project, store, index)
    // The project of an unreadable file is unknown.
    const lost = known.filter(({ row }) => row.project === '' && row.unread !== '')
    places = [...unread, ...lost.map(({ row }) => ({ file: row.path, reason: row.unread }))]
    for (const { row } of known) partly.set(row.path, row.unread)
    return known
  }
  const unreadOf = (scoped: readonly Known[], late: readonly Known[]): Unread[] => [
    ...late.filter(({ row }) => !failed.has(row.path)).map(({ row }) => ({ file: row.path, reason: LATE })),
    ...scoped.flatMap(({ row: { path } }) => {
      const reason = failed.get(path) || partly.get(path)
      return reason ? [{ file: path, reason }] : []
    }),
  ]
  const inScope = (all: readonly Known[]) => filesInScope(all, options, project)
  const files = new Map<string, SessionFile>()

  return {
    store,
    async sessions(call: SessionsCall): Promise<ReadableSessions> {
      calls++
      begun++
      const start = performance.now()
      try {
        const { session: named } = call
        const all = inScope(await look())
        for (const { row, file } of all) files.set(row.key, file)
        const scoped = named === undefined ? all : all.filter(({ row }) => row.key === named)
        const left = await bringUpToDate(scoped, call, update, { start, patience })
        return {
          sessions: scoped.map(({ row: { key, began } }) => ({ key, ...(began !== '' && { title: began }) })),
          facts: {
            ...(all.length === 0 && { hint: nothingIn(options, project) }),
            ...coverage([
              ...unreadOf(scoped, left),
              ...(named === undefined && call.tool !== 'lcm_expand' && options.scope !== 'session'
                ? places
                : []),
            ]),
          },
        }
      } finally {
        calls--
      }
    },
    /** The file of a session that `sessions` named. */
    fileOf: (key: string): SessionFile | undefined => files.get(key),
    async catchUp(signal?: AbortSignal): Promise<void> {
      const all = await look()
      const first = new Set(inScope(all))
      const order = [...first, ...all.filter((each) => !first.has(each))]
      const isOver = () => closed || calls > 0 || signal?.aborted === true
      for (const each of order) {
        if (!isStale(each)) continue
        let before: number
        do {
          while (calls > 0 && !closed) await new Promise((resolve) => setTimeout(resolve, 50))
          if (closed || signal?.aborted) return
          before = begun
          await setImmediate()
        } while (!(await update(each, isOver)) && before !== begun)
      }
    },
    async close(): Promise<void> {
      closed = true
      await queue
      index.close()
      await store.close()
    },
  }
}

function filesInScope(
  known: readonly Known[],
  { scope, asking, agent }: SessionIndexOptions,
  project: string,
): readonly Known[] {
  const all = agent === undefined ? known : known.filter(({ file }) => file.agent === agent)
  const hashed = `${HASHED}${createHash('sha256').update(project).digest('hex')}`
  const own = all.filter(({ row }) => isWithin(row.project, project) || row.project === hashed)
  const [newest] = own
  const asker = asking === undefined ? newest : all.find(({ row, file }) => isNamed(asking, row, file))
  const wide = scope === 'all' ? all : scope === 'project' ? own : []
  const others = wide.filter((each) => each !== asker)
  return asker === undefined ? others : [asker, ...others]
}

async function bringUpToDate(
  scoped: readonly Known[],
  call: SessionsCall,
  update: (each: Known, isOver: () => boolean) => Promise<boolean>,
  { start, patience }: { readonly start: number; readonly patience: number },
): Promise<readonly Known[]> {
  const { signal, onProgress } = call
  const isLate = () => performance.now() > start + patience || signal?.aborted === true
  // The asking session comes first, then those that contain the words.
  const [first] = scoped
  const stale = scoped.filter(isStale)
  const others = stale.filter((each) => each !== first)
  const order = [
    ...stale.filter((each) => each === first),
    ...(await likely(others, call, start + patience * SCAN_SHARE)),
  ]
  const left = new Set(order)
  if (call.tool === 'lcm_describe' && call.session === undefined && scoped.length > 1) return order
  for (const [done, each] of order.entries()) {
    signal?.throwIfAborted()
    if (isLate()) break
    onProgress?.(done, order.length, 'reading sessions that are not indexed yet')
    if (await update(each, isLate)) left.delete(each)
  }
  return [...left]
}

function nothingIn({ scope }: SessionIndexOptions, project: string): string {
  if (scope === 'all') return 'no agent has left a session on this machine'
  return `there is no session of ${project}; palimpsest mcp --scope all searches those of all projects`
}

async function likely(files: readonly Known[], call: SessionsCall, end: number): Promise<readonly Known[]> {
  const { query = '', signal } = call
  // The longest word is usually the rarest.
  const words = [...new Set(query.match(/[A-Za-z0-9_]{3,}/g))].sort((a, b) => b.length - a.length)
  if (words.length === 0 || files.length < LEAST_SCANNED) return files
  const holds = wordScan(words)
  const holding = new Set<Known>()
  for (const each of files) {
    signal?.throwIfAborted()
    if (performance.now() > end) return [...holding, ...files.filter((other) => !holding.has(other))]
    if (await holds(each.file)) holding.add(each)
  }
  return [...holding]
}

function isStale({ file, row }: Known): boolean {
  return row.bytes !== file.bytes || row.modifiedAt !== file.modifiedAt
}

function isWithin(folder: string, project: string): boolean {
  return folder === project || folder.startsWith(project.endsWith(sep) ? project : project + sep)
}

function isNamed(name: string, { key }: IndexedFile, { path }: SessionFile): boolean {
  const file = path.slice(path.lastIndexOf(sep) + 1)
  return path === name || key === name || (name.length >= 8 && file.includes(name))
}

const LATE = 'not read in time, and read in the background now: search again in a minute'
const NAMED = 6
const REASON = 120

function coverage(unread: readonly Unread[]) {
  if (unread.length === 0) return {}
  const files = unread.length === 1 ? 'a file was' : `${unread.length} files were`
  const home = homedir()
  return {
    complete: false,
    unread: unread.slice(0, NAMED).map(({ file, reason }) => ({
      file: file.startsWith(home + sep) ? `~${file.slice(home.length)}` : file,
      reason: shorten(reason.replace(file, '').replace(/^[:\s]+/, ''), REASON),
    })),
    ...(unread.length > NAMED && { unread_more: unread.length - NAMED }),
    note: `${files} not read to the end: what is not found may be there`,
  }
}

/** Larger files are read anyway. */
const MAX_BYTES = 128 << 20

function wordScan(words: readonly string[]): (file: SessionFile) => Promise<boolean> {
  const patterns = words.map((word) => new RegExp(word, 'i'))
  let buffer = Buffer.alloc(0)
  return async ({ path }) => {
    let handle: FileHandle | undefined
    try {
      if (databasePlace(path) !== undefined) {
        for (const word of words) if (!(await agentSessionHolds(path, word))) return false
        return true
      }
      // Its words may be compressed, or in separate files.
      if (path.endsWith('.zst') || existsSync(join(path.slice(0, -6), 'tool-results'))) return true
      handle = await open(path)
      const { size } = await handle.stat()
      if (size > MAX_BYTES) return true
      if (size > buffer.length) buffer = Buffer.allocUnsafe(size)
      const { bytesRead } = await handle.read(buffer, 0, size, 0)
      // Latin-1, so that nothing is decoded.
      const text = buffer.toString('latin1', 0, bytesRead)
      return text.includes('"history_base"') || patterns.every((pattern) => pattern.test(text))
    } catch {
      // Reading it reports the reason.
      return true
    } finally {
      await handle?.close()
    }
  }
}

export interface Known {
  readonly file: SessionFile
  readonly row: IndexedFile
}

const BRIEF_START = 16_384
const TITLE_CHARACTERS = 200

async function knownFiles(env: NodeJS.ProcessEnv, project: string, store: Store, index: IndexFile) {
  const { files, unread: places } = await findSessionFiles(env, project)
  const unread = [...places]
  const rows = new Map(index.read().map((row) => [row.path, row]))
  const known: Known[] = []
  const fresh: IndexedFile[] = []
  for (const file of files) {
    let row = rows.get(file.path)
    rows.delete(file.path)
    if (row === undefined) {
      if (!(await isOwn(file))) {
        unread.push({ file: file.path, reason: 'it belongs to another user' })
        continue
      }
      row = await describe(file)
      fresh.push(row)
    }
    known.push({ file, row })
  }
  if (fresh.length > 0) index.write(fresh)
  for (const row of rows.values()) if (await isGone(row)) await forget(row, store, index)
  return { known, unread }
}

async function forget({ path, key }: IndexedFile, store: Store, index: IndexFile): Promise<void> {
  const session = await store.find({ key })
  const { nextSeq } = (await session?.head()) ?? { nextSeq: 0 }
  if (nextSeq > 0)
    await session?.forget({ first: 0, last: nextSeq - 1, reason: 'its file was deleted', at: Date.now() })
  index.remove(path)
}

/** Links are followed, so their target must be the user's. */
async function isOwn(session: Pick<IndexedFile, 'path'>): Promise<boolean> {
  const facts = await stat(fileOf(session)).catch(() => undefined)
  return facts !== undefined && isOwnUser(facts)
}

async function isGone(row: IndexedFile): Promise<boolean> {
  try {
    await stat(fileOf(row))
    const place = databasePlace(row.path)
    return place !== undefined && (await listAgentSessions(place.database, place.id)).length === 0
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR'
  }
}

async function describe(file: SessionFile): Promise<IndexedFile> {
  const { path, agent } = file
  const { lines, problem = '' } = await readStart(file, BRIEF_START)
  const brief = sessionStart(agent, lines)
  const isTold = brief.project !== undefined && brief.began !== undefined
  const { project = '', began = '' } = isTold ? brief : sessionStart(agent, (await readStart(file)).lines)
  const key = `${agent}-${createHash('sha256').update(path).digest('hex').slice(0, 10)}`
  const title = redactSecrets(began).replace(/\s+/g, ' ').trim().slice(0, TITLE_CHARACTERS).toWellFormed()
  const unread = { bytes: -1, modifiedAt: 0, resumeAt: 0, resumeSeq: 0, mark: '' }
  return {
    path,
    key,
    agent,
    project: realPath(project),
    began: title,
    unread: problem === 'empty' ? '' : problem,
    ...unread,
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return folder
  }
}
