import type { BigIntStats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { errorText } from '@palimpsest/core'
import { databasePlace, listAgentSessions, readHead } from '@palimpsest/transcripts'
import { AGENTS, type Agent, type AgentName, placesNotRead } from './agents.ts'
import { sessionId, shortIds } from './session-ids.ts'

export interface SessionFile {
  readonly number: number
  /** The agent's own, and its beginning that no other session has. */
  readonly id: string
  readonly shortId: string
  readonly agent: AgentName
  readonly path: string
  readonly modifiedAt: number
  readonly bytes: number
}

export interface Unread {
  readonly file: string
  readonly reason: string
}

export interface SessionFiles {
  readonly files: readonly SessionFile[]
  readonly folders: readonly { readonly agent: AgentName; readonly title: string; readonly folder: string }[]
  readonly unread: readonly Unread[]
}

type Found = Omit<SessionFile, 'number' | 'id' | 'shortId'>

/**
 * Finds the sessions of all agents, without sub-agents'. It only reads folders, file facts and the first lines of
 * Codex's files, so thousands of large files are cheap.
 *
 * @param project The current folder, in which some agents keep sessions.
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
  const ids = files.map(({ path }) => sessionId(path))
  const short = shortIds(ids)
  return {
    files: files.map((file, index) => {
      const id = ids[index] ?? ''
      return { number: index + 1, id, shortId: short.get(id) ?? id, ...file }
    }),
    folders: folders.map(({ agent, ...place }) => ({ agent: agent.name, ...place })),
    unread,
  }
}

/** Codex compresses rollouts beside the original, and Hermes also writes its database's content to files. */
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
  /** Visited folders by device and number, because links may form a cycle. */
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

async function walk(path: string, within: string, agent: Agent, progress: Walk): Promise<void> {
  const { found, unread, seen } = progress
  try {
    // Windows' file numbers exceed a double's precision.
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
    // An unused agent, a removed file, or a dangling link.
    if (code !== 'ENOENT') unread.push({ file: path, reason: `it cannot be looked into (${code})` })
  }
}

const children = new Map<string, boolean>()
const HEADER_BYTES = [4 * 1024, 128 * 1024]
/** Quotes in a text are escaped, so this is a key of the header. */
const SOURCE = /"source":/
const OF_CHILD = /"thread_source":"subagent"|"source":(?:"subagent"|\{"(?:subagent|internal)")/

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
    // Reading it reports the reason.
  }
  return children.get(path) ?? false
}

/** Changes are detected by these values, so every caller must compute them alike. */
export function sizeAndTime({ size, mtimeNs }: BigIntStats): Pick<SessionFile, 'bytes' | 'modifiedAt'> {
  return { bytes: Number(size), modifiedAt: Number(mtimeNs) / 1e6 }
}
