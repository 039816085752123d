import { existsSync } from 'node:fs'
import { counted } from '../count.ts'
import { UsageError } from '../usage-error.ts'
import { findSessionFiles, type SessionFile, type SessionFiles } from './find-session-files.ts'
import { describeSession, sessionLine } from './listed-session.ts'

/** The beginning of an id. A path has a dot or a slash in it. */
const ID = /^[\w-]{4,}$/

/**
 * Finds a session by path, by its id or the beginning of it, or by its number in `palimpsest sessions`. An existing
 * file takes precedence, and unknown text is treated as a path whose reader reports the error. The note names the
 * session, because numbers change while agents work.
 */
export async function findSession(
  argument: string,
): Promise<{ readonly path: string; readonly note?: string }> {
  const isNumber = /^\d+$/.test(argument)
  if (!(isNumber || ID.test(argument)) || existsSync(argument)) return { path: argument }
  const list = await findSessionFiles(process.env)
  const numbered = isNumber ? list.files[Number(argument) - 1] : undefined
  const named = numbered === undefined && ID.test(argument) ? withId(list, argument) : []
  const [file = named[0], ...others] = numbered === undefined ? named : [numbered]
  if (others.length > 0)
    throw new UsageError(
      `${argument} begins the ids of ${named.length} sessions: ${named.map(({ id }) => id).join(', ')}; write more of one, or its number`,
    )
  if (file !== undefined)
    return { path: file.path, note: `session ${sessionLine(await describeSession(file))}` }
  if (!isNumber) return { path: argument }
  throw new UsageError(`there is no session ${argument}: ${whatThereIs(list)}`)
}

function withId({ files }: SessionFiles, start: string): readonly SessionFile[] {
  const lower = start.toLowerCase()
  const found = files.filter(({ id }) => id.toLowerCase().startsWith(lower))
  const whole = found.filter(({ id }) => id.toLowerCase() === lower)
  return whole.length === 1 ? whole : found
}

function whatThereIs({ files }: SessionFiles): string {
  if (files.length === 0)
    return 'no agent has left one here ("palimpsest sessions" lists where it looks); give the path of a file'
  return `palimpsest sessions --all has ${counted(files.length, 'session')}, from 1, the newest`
}
