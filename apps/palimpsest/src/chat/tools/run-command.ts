import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import { redactSecrets } from '@palimpsest/core'
import { z } from '@palimpsest/core/options'
import type { AskConsent } from './file-tools.ts'
import { type ChatTool, defineTool, ToolFault } from './tool.ts'
import type { Workspace } from './workspace.ts'

const DEFAULT_SECONDS = 120
const MOST_SECONDS = 600
/** Milliseconds between SIGTERM and SIGKILL. */
const KILL_AFTER = 2_000
/** Time for the last output of a finished command in milliseconds: a daemon may keep its pipes open. */
const LAST_OUTPUT = 200

const SECRET_NAME =
  /(?:^|_)(?:API_?)?(?:KEYS?|TOKENS?|SECRETS?|CREDENTIALS?|AUTH)(?:_|$)|PASS(?:WORD|WD|PHRASE)|_PWD$/i

const UNATTENDED = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
} as const

interface RunCommandInput {
  readonly workspace: Workspace
  readonly consent: AskConsent
  readonly environment: NodeJS.ProcessEnv
  readonly characters: number
}

/**
 * Secrets in a command's output are redacted, because environments and traces show them by accident. Files are not
 * redacted, because an edit needs their exact text.
 */
export function createRunCommand({ workspace, consent, environment, characters }: RunCommandInput): {
  readonly tool: ChatTool
  close(): void
} {
  const kept = Object.entries(environment).filter(
    ([name]) => name === 'SSH_AUTH_SOCK' || !SECRET_NAME.test(name),
  )
  const env = { ...Object.fromEntries(kept), ...UNATTENDED }
  const running = new Set<ChildProcess>()
  const tool = defineTool({
    name: 'run_command',
    description:
      'Runs a shell command in the workspace and returns what it writes, in part if it is much. Nothing can be typed into it. ' +
      `It is ended after ${DEFAULT_SECONDS} seconds unless timeout_seconds says otherwise, with all that it started in the ` +
      'background. The user is asked first.',
    schema: z.object({
      command: z.string().min(1).max(20_000).describe('the command, for the shell'),
      timeout_seconds: z
        .int()
        .min(1)
        .max(MOST_SECONDS)
        .optional()
        .describe(`seconds after which it is ended, 1 to ${MOST_SECONDS}`),
    }),
    summary: ({ command }) => command,
    async run({ command, timeout_seconds: seconds = DEFAULT_SECONDS }, signal) {
      if (command.includes('\0'))
        throw new ToolFault('a command cannot contain a NUL character; leave it out')
      await consent({ kind: 'run', subject: command }, signal)
      signal.throwIfAborted()
      const child = spawn(command, {
        cwd: workspace.root,
        env,
        shell: true,
        // A process group, so that everything that the command starts ends with it.
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
      })
      running.add(child)
      try {
        const output = createOutput(characters)
        child.stdout.on('data', output.add)
        child.stderr.on('data', output.add)
        const { code, end } = await endOf(child, seconds, signal)
        const said = redactSecrets(stripVTControlCharacters(output.text())).trimEnd()
        return { ok: code === 0, text: `${said === '' ? '(it wrote nothing)' : said}\n(${end})` }
      } finally {
        running.delete(child)
      }
    },
  })
  return {
    tool,
    close() {
      for (const child of running) killGroup(child, 'SIGKILL')
    },
  }
}

async function endOf(child: ChildProcess, seconds: number, signal: AbortSignal) {
  let stopped: string | undefined
  let lastResort: NodeJS.Timeout | undefined
  const stop = (why: string) => {
    stopped ??= why
    killGroup(child, 'SIGTERM')
    lastResort ??= setTimeout(() => killGroup(child, 'SIGKILL'), KILL_AFTER)
  }
  const onAbort = () => stop('stopped by the user')
  const timer = setTimeout(() => stop(`ended after ${seconds} seconds, before it was done`), seconds * 1_000)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const { code, by } = await new Promise<{ code: number | null; by: NodeJS.Signals | null }>(
      (resolve, reject) => {
        child.once('error', reject).once('exit', (code, by) => resolve({ code, by }))
      },
    )
    const hadLeftovers = process.platform !== 'win32' && killGroup(child, 'SIGKILL')
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, LAST_OUTPUT))])
    child.stdout?.destroy()
    child.stderr?.destroy()
    const end = code === null ? `ended by ${by}` : `exit code ${code}`
    const left = hadLeftovers ? '; what it left running in the background was ended' : ''
    return { code, end: stopped ?? end + left }
  } finally {
    clearTimeout(timer)
    clearTimeout(lastResort)
    signal.removeEventListener('abort', onAbort)
  }
}

const SYSTEM = {
  platform: process.platform,
  kill: (pid: number, signal: NodeJS.Signals): boolean => process.kill(pid, signal),
  run: (command: string, args: readonly string[]) =>
    spawnSync(command, args, { stdio: 'ignore', windowsHide: true }).status === 0,
}

/** False if the group is empty. Windows has no groups: all descendants are ended at once. */
export function killGroup(
  { pid }: Pick<ChildProcess, 'pid'>,
  signal: NodeJS.Signals,
  { platform, kill, run } = SYSTEM,
): boolean {
  if (pid === undefined) return false
  try {
    return platform === 'win32' ? run('taskkill', ['/pid', String(pid), '/t', '/f']) : kill(-pid, signal)
  } catch {
    return false
  }
}

function createOutput(characters: number) {
  const decoder = new StringDecoder('utf8')
  const headRoom = Math.floor(characters / 3)
  const tailRoom = characters - headRoom
  let head = ''
  let tail = ''
  let dropped = 0
  const cutTail = () => {
    const excess = Math.max(0, tail.length - tailRoom)
    dropped += excess
    tail = tail.slice(excess)
  }
  return {
    add(bytes: Buffer): void {
      const text = decoder.write(bytes)
      const first = text.slice(0, headRoom - head.length)
      head += first
      tail += text.slice(first.length)
      // Cutting rarely keeps many small pieces cheap.
      if (tail.length > tailRoom * 2) cutTail()
    },
    text(): string {
      cutTail()
      if (dropped === 0) return head + tail
      return `${head.toWellFormed()}\n… (${dropped} characters are left out here; let the command write to a file to see all of it) …\n${tail.toWellFormed()}`
    },
  }
}
