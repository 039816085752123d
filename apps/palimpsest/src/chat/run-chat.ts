import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { createInspector, type Inspector } from '@palimpsest/inspector'
import { loadConfiguration } from '../engines/configuration.ts'
import { columns } from '../engines/engine-lines.ts'
import { homeFolder } from '../home-folder.ts'
import { watchSignals } from '../stop-signal.ts'
import { UsageError } from '../usage-error.ts'
import type { ChatAgentInput } from './agent/chat-agent-input.ts'
import { createChatAgent } from './agent/create-chat-agent.ts'
import type { ChatAgent, Confirm } from './chat-agent.ts'
import { readInput } from './commands/chat-command.ts'
import { CHAT_COMMANDS } from './commands/chat-commands.ts'
import { type ChatModelFlags, findChatModels } from './find-chat-models.ts'
import { type ChatListing, listChats } from './records/list-chats.ts'
import { chatToPipe } from './terminal/chat-to-pipe.ts'
import { safeLine } from './terminal/safe-text.ts'

export interface ChatFlags extends ChatModelFlags {
  readonly engine?: string
  readonly profile?: string
  readonly threshold?: number
  readonly workspace?: string
  /** The id of a session; true: the last one of the workspace. */
  readonly resume?: string | true
  readonly list?: boolean
  readonly page?: boolean
  readonly yes?: boolean
  readonly config?: string
  readonly json?: boolean
}

/** The answer to the model where there is no person to ask. */
const NO_PERSON =
  'nothing was done: the user cannot be asked without a terminal. ' +
  'palimpsest chat in a terminal asks, and with --yes it allows everything'

/** The window of a model that does not say how large it is, in tokens. */
const DEFAULT_WINDOW = 128_000

/**
 * A chat in the terminal, or one answer where there is none. Returns the exit code.
 *
 * @throws UsageError for what is wrong with the flags, the configuration or the session.
 */
export async function runChat(
  prompt: string | undefined,
  flags: ChatFlags,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { stdin, stdout } = process
  if (flags.list) {
    stdout.write(listSessions(await listChats(homeFolder(environment)), { json: flags.json ?? false }))
    return 0
  }
  const { text, resume } = readResume(prompt, flags.resume)
  const isTerminal = stdin.isTTY && stdout.isTTY && !flags.json && environment.TERM !== 'dumb'
  if (isTerminal) assertTerminalNode(process.versions.node)
  if (!isTerminal && flags.page) throw new UsageError('--page needs a chat in a terminal')
  // While it is read, the first Ctrl-C ends the program.
  const question = isTerminal ? undefined : await readQuestion(text, stdin.isTTY ? undefined : stdin, resume)
  const signals = watchSignals()
  const call = { flags: { ...flags, resume }, environment, signal: signals.signal }
  try {
    return await (question === undefined ? converse(text, call) : answerOnce(question, call))
  } finally {
    signals.close()
  }
}

interface Call {
  readonly flags: Omit<ChatFlags, 'resume'> & { readonly resume: string | undefined }
  readonly environment: NodeJS.ProcessEnv
  /** Aborted when the process is told to end. */
  readonly signal: AbortSignal
}

async function converse(prompt: string | undefined, call: Call): Promise<number> {
  const { flags, environment, signal } = call
  const { parts, notice, resume, open } = await prepareChat(call)
  const inspector = createInspector(parts)
  const { runTerminal } = await import('./terminal/run-terminal.ts')
  return await runTerminal({
    ...parts,
    inspector,
    open: (confirm, id) => open(confirm, id, inspector),
    resume,
    first: [...(flags.page ? ['/page'] : []), ...(prompt === undefined ? [] : [prompt])],
    notice,
    signal,
    environment,
  })
}

async function answerOnce(question: string, call: Call): Promise<number> {
  const { flags, signal } = call
  const { stdout, stderr } = process
  if (readInput(question, CHAT_COMMANDS, existsSync).kind !== 'message')
    throw new UsageError(
      `${question.split(/\s/, 1)[0]} is a command of the chat in a terminal, not a question`,
    )
  const { notice, resume, open } = await prepareChat(call)
  const agent = await open(() => Promise.reject(new UsageError(NO_PERSON)), resume)
  try {
    return await chatToPipe({
      agent,
      question,
      json: flags.json ?? false,
      notice,
      signal,
      out: (text) => stdout.write(text),
      isShown: stdout.isTTY,
      log: (line) => stderr.write(`${line}\n`),
    })
  } finally {
    await agent.close()
  }
}

async function prepareChat({ flags, environment }: Call) {
  const workspace = workspaceOf(flags.workspace)
  const configuration = await loadConfiguration(flags.config, process.cwd())
  const block = configuration.config.auxiliary.compression
  const { notice, ...models } = await findChatModels(flags, block, environment)
  // The tokenizer takes a moment to load, which `--help` should not wait for.
  const { createTokenCounter } = await import('@palimpsest/tokens')
  const { engine, profile, threshold } = flags
  const parts = {
    configuration,
    ...models,
    flags: {
      ...(engine !== undefined && { engine }),
      ...(profile !== undefined && { profile }),
      ...(threshold !== undefined && { threshold }),
    },
    window: flags.window ?? DEFAULT_WINDOW,
    workspace,
    home: homeFolder(environment),
    tokens: createTokenCounter(),
    clock: { now: Date.now },
  } satisfies Omit<ChatAgentInput, 'confirm'>
  const open = (confirm: Confirm, resume?: string, inspector?: Inspector): Promise<ChatAgent> =>
    createChatAgent({
      ...parts,
      confirm: flags.yes ? async () => 'yes' : confirm,
      ...(resume !== undefined && { resume }),
      ...(inspector !== undefined && { inspector }),
    })
  return { parts, notice, resume: flags.resume, open }
}

/** `--resume "and then?"` is a question to the last session: no id has a space in it. */
function readResume(prompt: string | undefined, flag: ChatFlags['resume']) {
  if (flag === true) return { text: prompt, resume: 'latest' }
  const isText = prompt === undefined && flag !== undefined && /\s/.test(flag)
  return isText ? { text: flag, resume: 'latest' } : { text: prompt, resume: flag }
}

function workspaceOf(flag: string | undefined): string {
  const folder = resolve(flag ?? '.')
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  throw new UsageError(`--workspace: there is no folder ${folder}`)
}

/** The terminal library needs a newer Node than the rest of the program. */
const OLDEST = { major: 22, minor: 19 }

/** @throws UsageError when the chat in a terminal cannot run on this Node. */
export function assertTerminalNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return
  throw new UsageError(
    `a chat in the terminal needs Node ${OLDEST.major}.${OLDEST.minor} or later, this is ${version}; ` +
      'one question at a time works: palimpsest chat "…" | cat',
  )
}

/** Characters of how a conversation began. */
const FIRST_WORDS = 60

/** The sessions that can be resumed, as a table or as JSON. */
export function listSessions(chats: readonly ChatListing[], { json }: { readonly json: boolean }): string {
  if (json) return `${JSON.stringify({ sessions: chats }, undefined, 2)}\n`
  if (chats.length === 0) return 'There is no session yet: palimpsest chat begins one.\n'
  const lines = chats.map(({ id, at, messages, firstWords, workspace }) => [
    id,
    new Date(at).toISOString().slice(0, 16).replace('T', ' '),
    messages.toLocaleString('en-US'),
    safeLine(workspace),
    safeLine(firstWords.slice(0, FIRST_WORDS)),
  ])
  return columns([['SESSION', 'LAST CHANGE', 'MESSAGES', 'WORKSPACE', 'BEGAN WITH'], ...lines])
}

/**
 * The question of a chat without a terminal: the argument, and behind it what standard input brings, so that
 * `git diff | palimpsest chat "review this"` does what it looks like.
 *
 * @param input Undefined when a person sits at it: then nothing is read.
 * @param resume What was taken for the id of a session, and may be meant as the question.
 * @throws UsageError when both are empty.
 */
export async function readQuestion(
  argument: string | undefined,
  input: Readable | undefined,
  resume?: string,
): Promise<string> {
  const pieces: Buffer[] = []
  if (input !== undefined) for await (const piece of input) pieces.push(Buffer.from(piece))
  const piped = Buffer.concat(pieces).toString('utf8').trim()
  const question = [argument?.trim() ?? '', piped].filter((part) => part !== '').join('\n\n')
  if (question !== '') return question
  const example =
    resume === undefined || resume === 'latest' ? '"what is this folder?"' : `"${resume}" --resume`
  throw new UsageError(
    'there is no terminal to chat in, and no question: give one as an argument or on standard input, ' +
      `such as palimpsest chat ${example}`,
  )
}
