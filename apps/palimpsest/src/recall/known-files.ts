import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { redactSecrets } from '@palimpsest/core'
import type { LcmStore } from '@palimpsest/lcm'
import { listOpencodeSessions } from '@palimpsest/transcripts'
import { isOwnUser } from '../is-own-user.ts'
import { findSessionFiles, type SessionFile } from '../sessions/find-session-files.ts'
import { databaseOf, readStart } from '../sessions/read-start.ts'
import { sessionStart } from '../sessions/session-start.ts'
import type { IndexedFile, IndexFile } from './index-file.ts'
import { fileOf } from './session-source.ts'

/** A session file, and what is known of it. */
export interface Known {
  readonly file: SessionFile
  readonly row: IndexedFile
}

/** Bytes in which most sessions say what they are about. */
const BRIEF_START = 16_384
const TITLE_CHARACTERS = 200

/** The user's own session files, the newest first. What is stored of files that are gone is deleted. */
export async function knownFiles(
  env: NodeJS.ProcessEnv,
  store: LcmStore,
  index: IndexFile,
): Promise<Known[]> {
  const { files } = await findSessionFiles(env)
  const rows = new Map((await index.read()).map((row) => [row.path, row]))
  const known: Known[] = []
  const fresh: IndexedFile[] = []
  for (const file of files) {
    let row = rows.get(file.path)
    rows.delete(file.path)
    if (row === undefined) {
      if (!(await isOwn(file))) continue
      row = await describe(file)
      fresh.push(row)
    }
    known.push({ file, row })
  }
  if (fresh.length > 0) await index.write(fresh)
  for (const row of rows.values()) if (await isGone(row)) await forget(row, store, index)
  return known
}

async function forget({ path, key }: IndexedFile, store: LcmStore, index: IndexFile): Promise<void> {
  const session = await store.find({ key })
  const { nextSeq } = (await session?.head()) ?? { nextSeq: 0 }
  if (nextSeq > 0)
    await session?.forget({ first: 0, last: nextSeq - 1, reason: 'its file was deleted', at: Date.now() })
  await index.remove(path)
}

/** Links are followed, so it is the file behind them that has to be the user's. */
export async function isOwn(session: Pick<IndexedFile, 'agent' | 'path'>): Promise<boolean> {
  const facts = await stat(fileOf(session)).catch(() => undefined)
  return facts !== undefined && isOwnUser(facts)
}

/** False too where nothing can be said. */
async function isGone(row: IndexedFile): Promise<boolean> {
  try {
    await stat(fileOf(row))
    if (row.agent !== 'opencode') return false
    return (await listOpencodeSessions(...databaseOf(row.path))).length === 0
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR'
  }
}

async function describe(file: SessionFile): Promise<IndexedFile> {
  const { path, agent } = file
  const brief = sessionStart(agent, (await readStart(file, BRIEF_START)).lines)
  const isTold = brief.project !== undefined && brief.began !== undefined
  const { project = '', began = '' } = isTold ? brief : sessionStart(agent, (await readStart(file)).lines)
  const key = `${agent}-${createHash('sha256').update(path).digest('hex').slice(0, 10)}`
  const title = redactSecrets(began).replace(/\s+/g, ' ').trim().slice(0, TITLE_CHARACTERS).toWellFormed()
  const unread = { bytes: -1, modifiedAt: 0, resumeAt: 0, resumeSeq: 0, mark: '' }
  return { path, key, agent, project: realPath(project), began: title, ...unread }
}

/** As the file system spells it: upper and lower case are the same on Windows and macOS. */
export function realPath(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return folder
  }
}
