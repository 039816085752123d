import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { columns } from '../engines/engine-lines.ts'
import { printJson } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { withProgress } from '../progress.ts'
import { stopSignal } from '../stop-signal.ts'
import type { AgentName } from './agents.ts'
import { findSessionFiles, type SessionFile, type SessionFiles } from './find-session-files.ts'
import { describeSession, type ListedSession, listedFacts, sessionCells, shorten } from './listed-session.ts'

export interface SessionsFlags {
  readonly agent?: AgentName
  readonly limit: number
  readonly all?: boolean
  readonly json?: boolean
  readonly page?: boolean
}

const HEAD = ['#', 'ID', 'AGENT', 'LAST WRITTEN', 'SIZE', 'PROJECT', 'BEGAN WITH']

const WIDTH = 160
const LEAST_BEGAN = 20
const FOLDER = 40

export async function listSessions({
  agent,
  limit,
  all = false,
  json = false,
  page = false,
}: SessionsFlags): Promise<number> {
  const list = await findSessionFiles(process.env)
  const files = agent === undefined ? list.files : list.files.filter((file) => file.agent === agent)
  const sessions = await describeAll(all ? files : files.slice(0, limit))
  if (page) {
    const { showSessions } = await import('./show-sessions.ts')
    const server = await showSessions(sessions)
    process.stdout.write(`the page of ${counted(sessions.length, 'session')}: ${server.url}\n`)
    await stopSignal()
    await server.close()
    return 0
  }
  if (json) {
    printJson({
      sessions: sessions.map(listedFacts),
      total: files.length,
      folders: list.folders,
      unread: list.unread,
    })
    return 0
  }
  process.stdout.write(files.length === 0 ? nothing(list, agent) : table(sessions))
  const shown = sessions.length < files.length ? `${sessions.length} of ` : ''
  const more = shown === '' ? '' : ' (--all lists the others)'
  if (sessions.length > 0)
    process.stdout.write(
      colors.dim(
        `\n${shown}${counted(files.length, 'session')}${more}. palimpsest replay <id> takes one of them.\n`,
      ),
    )
  reportUnread(list)
  return 0
}

async function describeAll(files: readonly SessionFile[]): Promise<ListedSession[]> {
  return withProgress('reading', async (onProgress) => {
    const sessions: ListedSession[] = []
    for (const file of files) {
      sessions.push(await describeSession(file))
      onProgress(sessions.length, files.length)
    }
    return sessions
  })
}

function table(sessions: readonly ListedSession[]): string {
  const rows = sessions
    .map(sessionCells)
    .map(([number = '', id = '', agent = '', time = '', size = '', folder = '', began = '']) => [
      number,
      id,
      agent,
      time,
      size.padStart(7),
      folder.length > FOLDER ? `…${folder.slice(1 - FOLDER)}` : folder,
      began,
    ])
  const all = [HEAD, ...rows]
  const taken = HEAD.slice(0, -1).map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)) + 2)
  const width = (process.stdout.columns ?? WIDTH) - taken.reduce((sum, each) => sum + each, 0)
  return columns(all.map((row) => row.with(-1, shorten(row.at(-1) ?? '', Math.max(LEAST_BEGAN, width)))))
}

/** The searched folders are named, because another one may be meant. */
function nothing({ folders }: SessionFiles, agent: AgentName | undefined): string {
  const asked = folders.filter((folder) => agent === undefined || folder.agent === agent)
  const places = asked.map(({ title, folder }) => `  ${title}: ${printable(folder)}\n`).join('')
  return `no session${agent === undefined ? '' : ` of ${agent}`} was found; looked in:\n${places}`
}

function reportUnread({ unread }: SessionFiles): void {
  for (const { file, reason } of unread)
    process.stderr.write(`not read: ${printable(file)}: ${printable(reason)}\n`)
}
