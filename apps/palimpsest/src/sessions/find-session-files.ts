import type { BigIntStats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { listOpencodeSessions } from '@palimpsest/transcripts'
import { AGENTS, type Agent, type AgentName } from './agents.ts'

export interface SessionFile {
  /** Its place in the list of all agents' sessions, from 1: the newest. */
  readonly number: number
  readonly agent: AgentName
  /** For `readTranscript`. */
  readonly path: string
  readonly modifiedAt: number
  readonly bytes: number
}

export interface SessionFiles {
  readonly files: readonly SessionFile[]
  readonly folders: readonly { readonly agent: AgentName; readonly title: string; readonly folder: string }[]
  /** Folders that could not be looked into, and why. */
  readonly unreadable: readonly { readonly path: string; readonly code: string }[]
}

/** Finds the sessions of all agents. Only looks at folders and file facts, so thousands of large files cost little. */
export async function findSessionFiles(env: NodeJS.ProcessEnv): Promise<SessionFiles> {
  const found: Omit<SessionFile, 'number'>[] = []
  const unreadable: { path: string; code: string }[] = []
  const folders = AGENTS.map((agent) => ({ agent, title: agent.title, folder: agent.folder(env) }))
  for (const { agent, folder } of folders) {
    if (agent.name === 'opencode') await listDatabase(folder, { found, unreadable })
    else await walk(folder, agent, { found, unreadable, seen: new Set() })
  }
  found.sort((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1))
  return {
    files: found.map((file, index) => ({ number: index + 1, ...file })),
    folders: folders.map(({ agent, ...place }) => ({ agent: agent.name, ...place })),
    unreadable,
  }
}

interface Walk {
  readonly found: Omit<SessionFile, 'number'>[]
  readonly unreadable: { path: string; code: string }[]
  /** Visited folders by device and number: a link may lead back to where it stands. */
  readonly seen: Set<string>
}

async function listDatabase(path: string, { found, unreadable }: Omit<Walk, 'seen'>): Promise<void> {
  try {
    for (const { path: place, modifiedAt, bytes } of await listOpencodeSessions(path))
      found.push({ agent: 'opencode', path: place, modifiedAt, bytes })
  } catch (error) {
    unreadable.push({ path, code: (error as NodeJS.ErrnoException).code ?? 'unknown error' })
  }
}

/** Visits a folder or a file. Links are followed, and everything is visited once. */
async function walk(path: string, agent: Agent, progress: Walk): Promise<void> {
  const { found, unreadable, seen } = progress
  try {
    // On Windows numbers of files are larger than what a number holds exactly.
    const facts = await stat(path, { bigint: true })
    const id = `${facts.dev}:${facts.ino}`
    if (seen.has(id)) return
    seen.add(id)
    if (facts.isDirectory()) {
      const entries = await readdir(path, { withFileTypes: true })
      const worthwhile = entries.filter((entry) => !entry.isFile() || isSessionName(entry.name, agent))
      await Promise.all(worthwhile.map(({ name }) => walk(join(path, name), agent, progress)))
    } else if (facts.isFile() && isSessionName(basename(path), agent))
      found.push({ agent: agent.name, path, ...sizeAndTime(facts) })
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    // An agent that was never used, a file that was removed just now, a link to nothing.
    if (code !== 'ENOENT') unreadable.push({ path, code })
  }
}

/** By these a changed file is known: whoever compares them must take them in the same way, to the last bit. */
export function sizeAndTime({ size, mtimeNs }: BigIntStats): Pick<SessionFile, 'bytes' | 'modifiedAt'> {
  return { bytes: Number(size), modifiedAt: Number(mtimeNs) / 1e6 }
}

function isSessionName(fileName: string, { isSession = () => true }: Agent): boolean {
  return fileName.endsWith('.jsonl') && isSession(fileName)
}
