import { existsSync } from 'node:fs'
import { counted } from '../count.ts'
import { UsageError } from '../usage-error.ts'
import { findSessionFiles, type SessionFiles } from './find-session-files.ts'
import { describeSession, sessionLine } from './listed-session.ts'

/**
 * Finds a session by path, or by its number in `palimpsest sessions`. An existing file takes precedence, and unknown
 * text is treated as a path whose reader reports the error. The note names the session of a number, because the list
 * changes while agents work.
 */
export async function findSession(
  argument: string,
): Promise<{ readonly path: string; readonly note?: string }> {
  if (!/^\d+$/.test(argument) || existsSync(argument)) return { path: argument }
  const list = await findSessionFiles(process.env)
  const file = list.files[Number(argument) - 1]
  if (file === undefined) throw new UsageError(`there is no session ${argument}: ${whatThereIs(list)}`)
  return { path: file.path, note: `session ${sessionLine(await describeSession(file))}` }
}

function whatThereIs({ files, folders }: SessionFiles): string {
  if (files.length === 0)
    return `none was found in ${folders.map(({ folder }) => folder).join(', ')}; give the path of a file`
  return `palimpsest sessions --all has ${counted(files.length, 'session')}, from 1, the newest`
}
