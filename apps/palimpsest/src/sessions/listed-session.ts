import { homedir } from 'node:os'
import { sep } from 'node:path'
import { printable } from '../lcm/printable.ts'
import type { SessionFile } from './find-session-files.ts'
import { readStart } from './read-start.ts'
import { HASHED, sessionStart } from './session-start.ts'

export interface ListedSession extends SessionFile {
  readonly project: string | null
  readonly began: string | null
  readonly problem: string | null
}

const TEXT_CHARACTERS = 400

export async function describeSession(file: SessionFile): Promise<ListedSession> {
  const { lines, goesOn, problem } = await readStart(file)
  const { project, began } = sessionStart(file.agent, lines)
  const silent = began === undefined && !goesOn ? 'has no message of the user' : null
  return {
    ...file,
    project: project === undefined || project.startsWith(HASHED) ? null : project,
    began: began === undefined ? null : oneLine(began),
    problem: problem ?? silent,
  }
}

function oneLine(text: string): string {
  const start = text.slice(0, 4 * TEXT_CHARACTERS)
  return shorten(printable(start.replace(/\s+/g, ' ').trim()), TEXT_CHARACTERS)
}

export function listedFacts({ modifiedAt, shortId: _, ...session }: ListedSession) {
  return { ...session, modified: new Date(modifiedAt).toISOString() }
}

export function sessionCells(session: ListedSession): string[] {
  const { number, shortId, agent, modifiedAt, bytes, project, began, problem } = session
  return [
    String(number),
    printable(shortId),
    agent,
    timeOf(modifiedAt),
    sizeOf(bytes),
    printable(shortFolder(project ?? '')),
    problem === null ? (began ?? 'its first question stands further down') : `(${printable(problem)})`,
  ]
}

export function sessionLine(session: ListedSession): string {
  const [number, id, agent, time, size, folder, began] = sessionCells(session)
  return `${number}, ${id}: ${[agent, time, size, folder].filter(Boolean).join(', ')}: ${shorten(began ?? '', 80)}`
}

export function shorten(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, Math.max(0, length - 1)).join('')}…`
}

function timeOf(ms: number): string {
  return new Date(ms).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })
}

function sizeOf(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const size = bytes / 1024 ** power
  return `${size >= 10 || power === 0 ? Math.round(size) : size.toFixed(1)} ${units[power]}`
}

function shortFolder(folder: string): string {
  const home = homedir()
  return folder === home || folder.startsWith(home + sep) ? `~${folder.slice(home.length)}` : folder
}
