import { Console } from 'node:console'
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Readable, Writable } from 'node:stream'
import { type CompactionTiming, errorText } from '@palimpsest/core'
import { createInspector, type Inspector } from '@palimpsest/inspector'
import type { EngineFlags } from '../engines/choose-engine.ts'
import { type Configuration, loadConfiguration } from '../engines/configuration.ts'
import { columns } from '../engines/engine-lines.ts'
import { homeFolder } from '../home-folder.ts'
import { findAnsweringModel } from '../models/find-answering-model.ts'
import { findExtractionModel, findSummaryModel } from '../models/find-summary-model.ts'
import { openModel } from '../models/open-model.ts'
import { openInBrowser } from '../open-in-browser.ts'
import { type PageServer, startPageServer } from '../serve/http/start-page.ts'
import { EXIT_STOPPED, watchSignals } from '../stop-signal.ts'
import { UsageError } from '../usage-error.ts'
import type { ChatEvent, Confirm } from './chat-agent.ts'
import { readInput } from './chat-commands.ts'
import { type ChatListing, listChats, openChatStore } from './chat-record.ts'
import type { ChatScreen } from './chat-screen.ts'
import { type ChatAgent, type ChatAgentInput, createChatAgent } from './create-chat-agent.ts'
import { describeCompaction, ENDS, failureLine, safeLine, safeText } from './text.ts'

export interface ChatFlags extends EngineFlags {
  readonly model?: string
  /** The address of an OpenAI-compatible API with its version, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl?: string
  readonly window?: number
  readonly workspace?: string
  readonly resume?: string | true
  readonly list?: boolean
  readonly page?: boolean
  readonly yes?: boolean
  readonly config?: string
  readonly json?: boolean
}

const NO_PERSON =
  'nothing was done: the user cannot be asked without a terminal. ' +
  'palimpsest chat in a terminal asks, and with --yes it allows everything'

const NO_MODEL =
  'No model is configured, so nothing is written here: answers quote the lines of the conversation that share words ' +
  'with your question, from the context that a model would see, and no tool is called. To talk to a model, set ' +
  'GEMINI_API_KEY, or OPENAI_API_KEY and OPENAI_MODEL, or name one behind an OpenAI-compatible address: ' +
  'palimpsest chat --base-url http://127.0.0.1:11434/v1 --model <name>.'

const DEFAULT_WINDOW = 128_000

export async function runChat(
  prompt: string | undefined,
  flags: ChatFlags,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { stdin, stdout } = process
  if (flags.list) {
    const configuration = await loadConfiguration(flags.config, process.cwd())
    const chats = await readChats(homeFolder(environment), configuration)
    stdout.write(listSessions(chats, { json: flags.json ?? false }))
    return 0
  }
  const { text, resume } = readResume(prompt, flags.resume)
  const isTerminal = stdin.isTTY && stdout.isTTY && !flags.json && environment.TERM !== 'dumb'
  if (!isTerminal && flags.page) throw new UsageError('--page needs a chat in a terminal; leave it out here')
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
  readonly signal: AbortSignal
}

async function converse(prompt: string | undefined, call: Call): Promise<number> {
  const { flags, environment, signal } = call
  const { parts, notice, open } = await prepareChat(call)
  const { home, configuration, tokens } = parts
  const inspector = createInspector(parts)
  const { ProcessTerminal } = await import('@earendil-works/pi-tui')
  const { createTheme } = await import('./chat-screen.ts')
  const { chatInTerminal } = await import('./terminal-chat.ts')
  let page: Promise<PageServer> | undefined
  const guard = guardTerminal()
  try {
    const { id, isResumable } = await chatInTerminal({
      ...{ resume: flags.resume, notice, signal, tokens },
      terminal: new ProcessTerminal(),
      theme: createTheme(!environment.NO_COLOR),
      open: (confirm, id) => open(confirm, id, inspector),
      first: [...(flags.page ? ['/page'] : []), ...(prompt === undefined ? [] : [prompt])],
      chats: () => readChats(home, configuration),
      async openPage(session) {
        page ??= startPageServer(inspector)
        const address = `${(await page).url}/#/${encodeURIComponent(session)}`
        await openInBrowser(address, environment)
        return address
      },
      onStart: guard.begin,
    })
    if (isResumable) process.stdout.write(`Go on with: palimpsest chat --resume ${id}\n`)
    return signal.aborted ? EXIT_STOPPED : 0
  } finally {
    guard.end()
    await (await page)?.close()
  }
}

async function readChats(home: string, configuration: Configuration): Promise<ChatListing[]> {
  const chats = await openChatStore(home, configuration)
  return listChats(chats).finally(() => chats.store.close())
}

function guardTerminal() {
  const before = globalThis.console
  let restore = () => {}
  return {
    begin(screen: Pick<ChatScreen, 'print' | 'stop'>): void {
      restore = () => screen.stop()
      // This handler must run before the program's own, which print the error and exit.
      process.prependListener('uncaughtException', restore).prependListener('unhandledRejection', restore)
      process.on('exit', restore)
      const lines = new Writable({
        decodeStrings: false,
        write(text: string, _encoding, done) {
          screen.print(text.trimEnd(), 'dim')
          done()
        },
      })
      globalThis.console = new Console(lines)
    },
    end(): void {
      globalThis.console = before
      for (const event of ['exit', 'uncaughtException', 'unhandledRejection']) process.off(event, restore)
    },
  }
}

async function answerOnce(question: string, call: Call): Promise<number> {
  const { flags, signal } = call
  const { stdout, stderr } = process
  if (readInput(question, existsSync).kind !== 'message')
    throw new UsageError(
      `${question.split(/\s/, 1)[0]} is a command of the chat in a terminal, not a question; start palimpsest chat first`,
    )
  // Nobody waits here for what would run until the next question.
  const { notice, open } = await prepareChat(call, 'threshold')
  const agent = await open(() => Promise.reject(new UsageError(NO_PERSON)), flags.resume)
  try {
    return await chatToPipe({
      ...{ agent, question, notice, signal },
      json: flags.json ?? false,
      out: (text) => stdout.write(text),
      isShown: stdout.isTTY,
      log: (line) => stderr.write(`${line}\n`),
    })
  } finally {
    await agent.close()
  }
}

async function prepareChat({ flags, environment }: Call, compactAt?: CompactionTiming) {
  const { engine, profile, threshold } = flags
  const workspace = resolve(flags.workspace ?? '.')
  if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--workspace: there is no folder ${workspace}; check the path`)
  const configuration = await loadConfiguration(flags.config, process.cwd())
  const { notice, ...models } = await findChatModels(flags, configuration.config.auxiliary, environment)
  // The tokenizer takes time to load, which `--help` should not wait for.
  const { createTokenCounter } = await import('@palimpsest/tokens')
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
    ...(compactAt !== undefined && { compactAt }),
  } satisfies Omit<ChatAgentInput, 'confirm'>
  const open = (confirm: Confirm, resume?: string, inspector?: Inspector): Promise<ChatAgent> =>
    createChatAgent({
      ...parts,
      confirm: flags.yes ? async () => 'yes' : confirm,
      ...(resume !== undefined && { resume }),
      ...(inspector !== undefined && { inspector }),
    })
  return { parts, notice, open }
}

export async function findChatModels(
  { model, baseUrl, window }: Pick<ChatFlags, 'model' | 'baseUrl' | 'window'>,
  { compression: block = {}, extraction = {} }: Partial<Configuration['config']['auxiliary']>,
  environment: NodeJS.ProcessEnv,
) {
  const main = findAnsweringModel({ option: '--model', model, baseUrl, contextLength: window }, environment)
  const found = await findSummaryModel({ block, main, environment })
  const reading = await findExtractionModel({ block: extraction, main, environment })
  const summaries = { ...found, notices: [...found.notices, ...(reading?.notices ?? [])] }
  const own = reading?.model && { reader: reading.model }
  if (main === undefined) return { model: undefined, ...own, summaries, notice: NO_MODEL }
  const { chat, completion, caching } = await openModel(main)
  return { model: chat, reader: own?.reader ?? completion, caching, summaries, notice: undefined }
}

/** `--resume "and then?"` is a question to the last session, because no id contains a space. */
function readResume(prompt: string | undefined, flag: ChatFlags['resume']) {
  if (flag === true) return { text: prompt, resume: 'latest' }
  const isText = prompt === undefined && flag !== undefined && /\s/.test(flag)
  return isText ? { text: flag, resume: 'latest' } : { text: prompt, resume: flag }
}

const FIRST_WORDS = 60

function listSessions(chats: readonly ChatListing[], { json }: { readonly json: boolean }): string {
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
 * The question of a chat without a terminal: the argument followed by standard input, so that `git diff | palimpsest
 * chat "review this"` works.
 *
 * @param input Undefined for a terminal, which is not read.
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

const EXIT_ANSWERED = 0
const EXIT_FAILED = 1
const RESULT_CHARACTERS = 300

interface PipeChatInput {
  readonly agent: ChatAgent
  readonly question: string
  readonly json: boolean
  readonly notice: string | undefined
  readonly signal: AbortSignal
  out(text: string): void
  /** True if `out` is a terminal, which must not obey a model's text. */
  readonly isShown: boolean
  log(line: string): void
}

export function chatToPipe(input: PipeChatInput): Promise<number> {
  return input.json ? answerInJson(input) : answerInText(input)
}

async function answerInText(input: PipeChatInput): Promise<number> {
  const { agent, question, notice, signal, out, isShown, log } = input
  const { facts } = agent
  let held = ''
  let last = ''
  let hasText = false
  const write = (piece: string) => {
    const text = held + piece
    held = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    last = text.slice(0, text.length - held.length) || last
    hasText ||= text !== ''
    if (text !== held) out(isShown ? safeText(last) : last)
  }
  const endLine = () => {
    if (last !== '' && !last.endsWith('\n')) out('\n')
    last = ''
  }
  log(`palimpsest: ${safeLine(facts.model)}, engine ${facts.engine}, session ${agent.id}`)
  const notes = [...(notice === undefined ? [] : [notice]), ...facts.warnings]
  for (const line of [facts.engineLine, facts.summaries, facts.caching, ...notes]) log(safeLine(line))
  const on = (event: ChatEvent) => {
    if (event.type === 'text') return write(event.text)
    if (event.type === 'tool-start') endLine()
    const line = lineOf(event)
    if (line !== undefined) log(safeLine(line))
  }
  try {
    const { reason, text } = await agent.say(question, { signal, on })
    // A model that does not stream writes everything at the end.
    if (!hasText) write(text)
    endLine()
    if (reason === 'answered') return EXIT_ANSWERED
    log(`palimpsest: ${ENDS[reason]}`)
  } catch (error) {
    endLine()
    log(`palimpsest: ${signal.aborted ? ENDS.stopped : safeLine(failureLine(error))}`)
  }
  return EXIT_FAILED
}

function lineOf(event: Exclude<ChatEvent, { type: 'text' }>): string | undefined {
  switch (event.type) {
    case 'tool-start':
      return `* ${event.name} ${event.summary}`
    case 'tool-end':
      return event.ok ? undefined : `* ${event.name} failed: ${event.result.slice(0, RESULT_CHARACTERS)}`
    case 'compaction':
      return describeCompaction(event.result)
    case 'warning':
      return event.warning.message
    case 'usage':
      return undefined
  }
}

async function answerInJson({ agent, question, notice, signal, out }: PipeChatInput): Promise<number> {
  const session = agent.id
  const print = (object: object) => out(`${jsonLine(object)}\n`)
  print({ type: 'start', session, ...agent.facts, notice: notice ?? null })
  const on = (event: ChatEvent) => {
    if (event.type !== 'compaction') return print(event)
    const { messages, ...result } = event.result
    print({ ...event, result: { ...result, messages: messages.length } })
  }
  try {
    const end = await agent.say(question, { signal, on })
    print({ type: 'end', session, ...end, costs: agent.status().costs })
    return end.reason === 'answered' ? EXIT_ANSWERED : EXIT_FAILED
  } catch (error) {
    print({ type: 'error', session, message: errorText(error) })
    return EXIT_FAILED
  }
}

/** JSON keeps some control characters that a terminal would obey. */
function jsonLine(object: object): string {
  return JSON.stringify(object).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
