import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { TOOL_LIMITS } from './tool-limits.ts'

/** Names that announce a secret: `GEMINI_API_KEY`, `GITHUB_TOKEN`, `AWS_SECRET_ACCESS_KEY`, `PGPASSWORD`. */
const SECRET_NAME =
  /(?:^|_)(?:API_?)?(?:KEYS?|TOKENS?|SECRETS?|CREDENTIALS?|AUTH)(?:_|$)|PASS(?:WORD|WD|PHRASE)|_PWD$/i

/** Settings for commands without a person in front of them. */
const UNATTENDED = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
} as const

/** The environment of a command: this process's own without what is secret by its name. */
function commandEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => name === 'SSH_AUTH_SOCK' || !SECRET_NAME.test(name),
  )
  return { ...Object.fromEntries(kept), ...UNATTENDED }
}

export interface ShellRun {
  readonly command: string
  readonly folder: string
  /** In milliseconds. */
  readonly timeLimit: number
  /** Of what it writes, in characters. */
  readonly outputLimit: number
  readonly signal: AbortSignal
}

export interface ShellEnd {
  /** Standard output and errors as they came, without escape sequences. */
  readonly output: string
  readonly code: number | null
  readonly killedBy: NodeJS.Signals | null
  /** Why it was ended from here, if it was. */
  readonly stopped: 'time' | 'user' | undefined
  /** Whether it left processes in the background, which were ended with it. */
  readonly hadLeftovers: boolean
}

/** Runs a command with what it starts, and knows what of it still runs. */
export interface ShellRunner {
  /** Resolves when nothing of it runs any more. Rejects when it cannot be started. */
  run(input: ShellRun): Promise<ShellEnd>
  /** Kills what runs, at once. */
  close(): void
}

/** Milliseconds for which pipes may stay open behind a command that has ended. */
const PIPES_TIME = 200
/** Milliseconds for those to end that write nowhere any more. */
const QUIET_TIME = 200

/**
 * A runner of commands. Each has a process group of its own, so that it ends with everything that it started; only what
 * leaves the group by itself, as a daemon does, gets away. Nothing can be typed into it.
 */
export function createShellRunner(environment: NodeJS.ProcessEnv): ShellRunner {
  const running = new Set<ChildProcess>()
  const env = commandEnvironment(environment)

  const run = ({ command, folder, timeLimit, outputLimit, signal }: ShellRun): Promise<ShellEnd> =>
    new Promise((resolve, reject) => {
      const child = spawn(command, {
        cwd: folder,
        env,
        shell: true,
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
      })
      running.add(child)
      const output = createOutputWindow(outputLimit)
      let stopped: ShellEnd['stopped']
      let lastResort: NodeJS.Timeout | undefined
      const stop = (why: 'time' | 'user') => {
        if (stopped !== undefined) return
        stopped = why
        killGroup(child, 'SIGTERM')
        lastResort = setTimeout(() => killGroup(child, 'SIGKILL'), TOOL_LIMITS.killAfter)
      }
      const onAbort = () => stop('user')
      const timer = setTimeout(() => stop('time'), timeLimit)
      signal.addEventListener('abort', onAbort, { once: true })
      if (signal.aborted) onAbort()
      child.stdout.on('data', output.add)
      child.stderr.on('data', output.add)
      const clear = () => {
        clearTimeout(timer)
        clearTimeout(lastResort)
        signal.removeEventListener('abort', onAbort)
        running.delete(child)
      }
      child.once('error', (error) => {
        clear()
        reject(error)
      })
      child.once('exit', async (code, killedBy) => {
        const hadLeftovers = await endGroup(child)
        await lastOutput(child)
        clear()
        const text = stripVTControlCharacters(output.text())
        resolve({ output: text, code, killedBy, stopped, hadLeftovers })
      })
    })

  return {
    run,
    close() {
      for (const child of running) killGroup(child, 'SIGKILL')
    },
  }
}

/**
 * Ends what a command left behind, politely first. Returns whether there was anything. On Windows it is not known what a command
 * that has ended had started. Where the dead are not collected they
 * stay in the group, so its being there is no reason to wait: open pipes are.
 */
async function endGroup(child: ChildProcess): Promise<boolean> {
  if (process.platform === 'win32' || !killGroup(child, 'SIGTERM')) return false
  const start = performance.now()
  const limit = () => (arePipesClosed(child) ? QUIET_TIME : TOOL_LIMITS.killAfter)
  while (killGroup(child, 0) && performance.now() - start < limit()) await sleep(10)
  killGroup(child, 'SIGKILL')
  return true
}

const SYSTEM = {
  platform: process.platform,
  kill: (pid: number, signal: NodeJS.Signals | 0): boolean => process.kill(pid, signal),
  run: (command: string, args: readonly string[]) =>
    spawnSync(command, args, { stdio: 'ignore', windowsHide: true }).status === 0,
}

/** False when nothing of the group is there. On Windows there are no groups: all that the process started is ended at once. */
export function killGroup(
  { pid }: Pick<ChildProcess, 'pid'>,
  signal: NodeJS.Signals | 0,
  { platform, kill, run } = SYSTEM,
): boolean {
  if (pid === undefined) return false
  try {
    if (platform !== 'win32') return kill(-pid, signal)
    return signal === 0 ? kill(pid, 0) : run('taskkill', ['/pid', String(pid), '/t', '/f'])
  } catch {
    return false
  }
}

/** Waits for the last output, unless a process outside the group keeps the pipes open. */
async function lastOutput(child: ChildProcess): Promise<void> {
  const end = performance.now() + PIPES_TIME
  while (!arePipesClosed(child) && performance.now() < end) await sleep(5)
  child.stdout?.destroy()
  child.stderr?.destroy()
}

function arePipesClosed({ stdout, stderr }: ChildProcess): boolean {
  return stdout?.closed === true && stderr?.closed === true
}

/** The beginning and the end of an output of any length. */
interface OutputWindow {
  add(bytes: Buffer): void
  /** The kept text, with a line that says how much is left out. */
  text(): string
}

/**
 * Holds the first third and the last two thirds of what it is given: the beginning says what was done, the end how it
 * went.
 *
 * @param characters that are held at most.
 */
function createOutputWindow(characters: number): OutputWindow {
  const decoder = new StringDecoder('utf8')
  const headRoom = Math.floor(characters / 3)
  const tailRoom = characters - headRoom
  let head = ''
  let tail = ''
  let dropped = 0

  const add = (text: string) => {
    const first = text.slice(0, headRoom - head.length)
    head += first
    tail += text.slice(first.length)
    // Not with every piece, so that many small ones cost no copy each.
    if (tail.length > tailRoom * 2) cutTail()
  }
  const cutTail = () => {
    const excess = tail.length - tailRoom
    if (excess <= 0) return
    dropped += excess
    tail = tail.slice(excess)
  }

  return {
    add: (bytes) => add(decoder.write(bytes)),
    text() {
      add(decoder.end())
      cutTail()
      if (dropped === 0) return head + tail
      return `${head.toWellFormed()}\n… (${dropped} characters are left out here; let the command write to a file to see all of it) …\n${tail.toWellFormed()}`
    },
  }
}
