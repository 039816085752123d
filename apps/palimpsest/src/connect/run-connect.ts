import { mkdirSync, realpathSync } from 'node:fs'
import { lstat, readFile, rm } from 'node:fs/promises'
import { dirname, posix, win32 } from 'node:path'
import { errorText, redactSecrets } from '@palimpsest/core'
import { createTwoFilesPatch } from 'diff'
import { confirmed } from '../confirmed.ts'
import { hasProgram } from '../has-program.ts'
import { describeWriteFault, replaceFile } from '../replace-file.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import { UsageError } from '../usage-error.ts'
import type { HostName } from './host-names.ts'
import { HOSTS, shellWords } from './hosts.ts'

export interface ConnectFlags {
  readonly project?: boolean
  readonly print?: boolean
  readonly remove?: boolean
  readonly yes?: boolean
}

interface Change {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

export async function runConnect(
  host: HostName,
  { project = false, print = false, remove = false, yes = false }: ConnectFlags,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const command = ownCommand(environment)
  const files = HOSTS[host]({ isProject: project, folder: process.cwd(), environment, command })
  const changes: Change[] = []
  for (const { path, add, remove: take } of files) {
    const before = await textOf(path)
    try {
      const after = !remove ? add(before) : before === undefined ? undefined : take(before)
      if (after !== before) changes.push({ path, before, after })
    } catch (cause) {
      throw new UsageError(`${path} stays as it is: ${errorText(cause)}`, { cause })
    }
  }
  if (changes.length === 0) {
    const paths = files.map(({ path }) => path).join(', ')
    process.stdout.write(
      remove ? `Nothing to remove: palimpsest is not in ${paths}.\n` : `Already connected: ${paths}.\n`,
    )
    return 0
  }
  for (const change of changes) process.stdout.write(shown(change))
  if (print) return 0
  const advice = 'there is no terminal to ask on, so nothing was changed: --yes does it without asking'
  if (!yes && !(await confirmed(remove ? 'Remove this?' : 'Write this?', advice))) {
    process.stderr.write('palimpsest: nothing was changed\n')
    return EXIT_FOUND
  }
  await writeAll(changes)
  process.stdout.write(
    remove
      ? `Removed. ${host} knows it with its next start.\n`
      : `Connected. ${host} knows it with its next start: ask it for something from an earlier session.
"${shellWords(command)} connect ${host}${project ? ' --project' : ''} --remove" takes it back.\n`,
  )
  return 0
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    const bytes = await readFile(path)
    const text = bytes.toString('utf8')
    if (Buffer.from(text).equals(bytes)) return text
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const isMissing = code === 'ENOENT' && (await lstat(path).catch(() => undefined)) === undefined
    if (isMissing) return undefined
    const reason = code === 'EISDIR' ? 'it is a folder' : code === 'ENOENT' ? 'it is a link to nothing' : code
    throw new UsageError(`${path} cannot be read (${reason}); check its permissions`, { cause })
  }
  throw new UsageError(`${path} is not in UTF-8; save it as UTF-8`)
}

/** Shows only changed lines, because their neighbours may be secret. */
function shown({ path, before, after }: Change): string {
  const patch = createTwoFilesPatch(path, path, before ?? '', after ?? '', '', '', { context: 0 })
  const lines = patch.split('\n').filter((line) => /^[-+]/.test(line) && !/^(?:---|\+\+\+) /.test(line))
  const what = before === undefined ? ' (new)' : after === undefined ? ' (deleted)' : ''
  return `${path}${what}\n${redactSecrets(lines.map((line) => `  ${line}\n`).join(''))}`
}

/** All or none: if one file cannot be written, the others are restored. */
async function writeAll(changes: readonly Change[]): Promise<void> {
  const done: Change[] = []
  try {
    for (const change of changes) {
      if ((await textOf(change.path)) !== change.before)
        throw new UsageError(
          `${change.path} was changed in the meantime, and nothing was written; run the command again`,
        )
      await write(change.path, change.after)
      done.push(change)
    }
  } catch (error) {
    for (const { path, before } of done) await write(path, before)
    throw error
  }
}

async function write(path: string, text: string | undefined): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true })
  } catch (cause) {
    const reason = describeWriteFault(dirname(path), cause)
    throw new UsageError(`the folder ${dirname(path)} cannot be made: ${reason}`, { cause })
  }
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false
  await replaceFile(path, text ?? (path.endsWith('.toml') ? '' : '{}\n'))
  if (text === undefined && !isLink) await rm(path)
}

/**
 * The command that starts this program anywhere and at any time: `palimpsest` if it is installed, the running file of a
 * clone, else npx. Temporary folders that npm and npx add to the PATH do not count.
 */
export function ownCommand(
  environment: NodeJS.ProcessEnv,
  platform = process.platform,
  script = realpathSync(process.argv[1] ?? ''),
): readonly [string, ...string[]] {
  const { sep } = platform === 'win32' ? win32 : posix
  const passing = `${sep}node_modules${sep}.bin`
  const counts = (folder: string) => !folder.includes(passing)
  if (hasProgram('palimpsest', environment, { platform, counts })) return ['palimpsest']
  if (/[\\/]node_modules[\\/]/.test(script)) return ['npx', '-y', '@palimpsest/cli']
  return [process.execPath, ...process.execArgv, script]
}
