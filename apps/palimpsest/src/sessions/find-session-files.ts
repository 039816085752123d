import type { BigIntStats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { errorText } from '@palimpsest/core'
import { databasePlace, listAgentSessions, readHead } from '@palimpsest/transcripts'
import { AGENTS, type Agent, type AgentName, placesNotRead } from './agents.ts'

export interface SessionFile {
  /** Its place in the list of all agents' sessions, from 1: the newest. */
  readonly number: number
  readonly agent: AgentName
  /** For `readTranscript`. */
  readonly path: string
  readonly modifiedAt: number
  readonly bytes: number
}

/** What may hold sessions, and was not read. */
export interface Unread {
  readonly file: string
  readonly reason: string
}

export interface SessionFiles {
  readonly files: readonly SessionFile[]
  readonly folders: readonly { readonly agent: AgentName; readonly title: string; readonly folder: string }[]
  readonly unread: readonly Unread[]
}

type Found = Omit<SessionFile, 'number'>

/**
 * Finds the sessions of all agents, without those of sub-agents. Only looks at folders, file facts and the first line of Codex's
 * files, so thousands of large files cost little.
 *
 * @param project some agents keep sessions in the folder that they work in.
 */
export async function findSessionFiles(
  env: NodeJS.ProcessEnv,
  project = process.cwd(),
): Promise<SessionFiles> {
  const found: Found[] = []
  const unread: Unread[] = []
  const folders = AGENTS.flatMap((agent) =>
    agent.places(env, project).map((folder) => ({ agent, title: agent.title, folder })),
  )
  for (const { agent, folder } of folders) {
    if (folder.endsWith('.db')) await listDatabase(folder, agent, { found, unread })
    else await walk(folder, '', agent, { found, unread, seen: new Set() })
  }
  for (const { title, place } of placesNotRead(env))
    unread.push({
      file: place,
      reason: `sessions of ${title} are not read: palimpsest does not know their format`,
    })
  const files = withoutCopies(found)
  files.sort((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1))
  return {
    files: files.map((file, index) => ({ number: index + 1, ...file })),
    folders: folders.map(({ agent, ...place }) => ({ agent: agent.name, ...place })),
    unread,
  }
}

/** Codex packs a rollout beside itself, and Hermes writes what is in its database to files, too. */
function withoutCopies(found: readonly Found[]): Found[] {
  const paths = new Set(found.map(({ path }) => path))
  const stored = new Set(
    found.flatMap(({ agent, path }) => (agent === 'hermes' ? (databasePlace(path)?.id ?? []) : [])),
  )
  return found.filter(
    ({ agent, path }) =>
      !(path.endsWith('.zst') && paths.has(path.slice(0, -4))) &&
      !(agent === 'hermes' && stored.has(basename(path, '.jsonl'))),
  )
}

interface Walk {
  readonly found: Found[]
  readonly unread: Unread[]
  /** Visited folders by device and number: a link may lead back to where it stands. */
  readonly seen: Set<string>
}

async function listDatabase(
  path: string,
  { name }: Agent,
  { found, unread }: Omit<Walk, 'seen'>,
): Promise<void> {
  try {
    for (const { path: place, modifiedAt, bytes } of await listAgentSessions(path))
      found.push({ agent: name, path: place, modifiedAt, bytes })
  } catch (error) {
    unread.push({ file: path, reason: errorText(error) })
  }
}

/** Visits a folder or a file. Links are followed, and everything is visited once. */
async function walk(path: string, within: string, agent: Agent, progress: Walk): Promise<void> {
  const { found, unread, seen } = progress
  try {
    // On Windows numbers of files are larger than what a number holds exactly.
    const facts = await stat(path, { bigint: true })
    const id = `${facts.dev}:${facts.ino}`
    if (seen.has(id)) return
    seen.add(id)
    if (facts.isDirectory()) {
      const entries = await readdir(path, { withFileTypes: true })
      const named = entries.map((entry) => ({
        entry,
        place: within === '' ? entry.name : `${within}/${entry.name}`,
      }))
      const worthwhile = named.filter(({ entry, place }) => !entry.isFile() || agent.isSession.test(place))
      await Promise.all(
        worthwhile.map(({ entry, place }) => walk(join(path, entry.name), place, agent, progress)),
      )
    } else if (facts.isFile() && agent.isSession.test(within) && !(await isChild(path, agent.name)))
      found.push({ agent: agent.name, path, ...sizeAndTime(facts) })
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    // An agent that was never used, a file that was removed just now, a link to nothing.
    if (code !== 'ENOENT') unread.push({ file: path, reason: `it cannot be looked into (${code})` })
  }
}

/** The header of a rollout does not change. */
const children = new Map<string, boolean>()
/** Its source is in front of the long instructions, in most versions; else anywhere in them. */
const HEADER_BYTES = [4 * 1024, 128 * 1024]
/** Quotes in a text are escaped: this is a key of the header. */
const SOURCE = /"source":/
const OF_CHILD = /"thread_source":"subagent"|"source":(?:"subagent"|\{"(?:subagent|internal)")/

/** Whether a rollout of Codex is that of a sub-agent, its guardian's or another helper's: a part of the session that started it. */
async function isChild(path: string, agent: AgentName): Promise<boolean> {
  if (agent !== 'codex') return false
  const known = children.get(path)
  if (known !== undefined) return known
  try {
    for (const bytes of HEADER_BYTES) {
      const [header = ''] = (await readHead(path, bytes)).text.split('\n', 1)
      if (header !== '') children.set(path, OF_CHILD.test(header))
      if (SOURCE.test(header)) break
    }
  } catch {
    // Reading it says what is wrong.
  }
  return children.get(path) ?? false
}

/** By these a changed file is known: whoever compares them must take them in the same way, to the last bit. */
export function sizeAndTime({ size, mtimeNs }: BigIntStats): Pick<SessionFile, 'bytes' | 'modifiedAt'> {
  return { bytes: Number(size), modifiedAt: Number(mtimeNs) / 1e6 }
}
