import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { PROGRAM } from '../../apps/palimpsest/test/run-cli.ts'
import { type CommandOutput, runCommand } from '../run-command.ts'
import { CLIENT_PROGRAMS } from './clients-folder.ts'

/** Where a client lives: an empty home, and a folder that it works in. */
export interface Home {
  readonly work: string
  /** Nothing of whoever runs the tests. */
  readonly environment: Readonly<Record<string, string>>
}

export async function emptyHome(environment: Readonly<Record<string, string>>): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-client-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const work = join(folder, 'work')
  const home = join(folder, 'home')
  await Promise.all([work, home].map((path) => mkdir(path)))
  const path = [CLIENT_PROGRAMS, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':')
  return {
    work,
    environment: { PATH: path, HOME: home, PALIMPSEST_HOME: join(folder, 'none'), ...environment },
  }
}

/** A home where `palimpsest` is installed: the program as it is here, or another script. */
export async function homeWithPalimpsest(
  environment: Readonly<Record<string, string>>,
  script?: string,
): Promise<Home> {
  const home = await emptyHome(environment)
  const bin = join(home.environment.HOME ?? '', 'bin')
  await mkdir(bin)
  const words = [process.execPath, ...PROGRAM].map((word) => `'${word}'`).join(' ')
  await writeFile(join(bin, 'palimpsest'), `#!/bin/sh\n${script ?? `exec ${words} "$@"`}\n`)
  await chmod(join(bin, 'palimpsest'), 0o755)
  return { ...home, environment: { ...home.environment, PATH: `${bin}:${home.environment.PATH}` } }
}

export function runPalimpsest(args: readonly string[], home: Home): Promise<CommandOutput> {
  return runProgram(process.execPath, [...PROGRAM, ...args], home)
}

/** Runs a program until it ends, or until the test is over. */
export function runProgram(program: string, args: readonly string[], home: Home): Promise<CommandOutput> {
  const over = new AbortController()
  onTestFinished(() => over.abort())
  return runCommand(program, args, { cwd: home.work, env: home.environment, signal: over.signal })
}
