import { existsSync } from 'node:fs'
import { Markdown, type Terminal, Text } from '@earendil-works/pi-tui'
import { type Message, messageText, type TokenCounter } from '@palimpsest/core'
import { count, counted } from '../count.ts'
import type { ChatEvent, Confirm, Confirmation, Consent, TurnEnd, TurnOptions } from './chat-agent.ts'
import { type ChatCommand, type CommandHost, readInput } from './chat-commands.ts'
import { type ChatScreen, createChatScreen, type Theme } from './chat-screen.ts'
import type { ChatAgent } from './create-chat-agent.ts'
import { describeCompaction, dollars, ENDS, failureLine, safeLine, safeStart, safeText } from './text.ts'

interface TerminalChatInput extends Pick<CommandHost, 'chats' | 'openPage'> {
  readonly terminal: Terminal
  readonly theme: Theme
  readonly tokens: TokenCounter
  open(confirm: Confirm, resume?: string): Promise<ChatAgent>
  readonly resume: string | undefined
  readonly first: readonly string[]
  readonly notice: string | undefined
  readonly signal: AbortSignal
  onStart?(screen: Pick<ChatScreen, 'print' | 'stop'>): void
}

export type TerminalChatEnd = Awaited<ReturnType<typeof chatInTerminal>>

export async function chatInTerminal(input: TerminalChatInput) {
  const { theme, signal, tokens } = input
  const left = Promise.withResolvers<void>()
  const leave = () => left.resolve()
  let waiting: string[] = []
  let work: AbortController | undefined
  let presses = 0

  const confirm: Confirm = async (question, asked) => {
    screen.busy('waits for your answer')
    const consent = await askPerson(screen, theme, question, asked)
    if (consent === undefined) stop()
    else if (!asked.aborted) screen.busy(WORKING)
    return consent ?? 'no'
  }
  let agent = await input.open(confirm, input.resume)
  const screen = createChatScreen({
    ...{ terminal: input.terminal, theme, workspace: agent.facts.workspace },
    onSubmit: submit,
    onInterrupt(text) {
      if (work !== undefined && !work.signal.aborted) return stop()
      if (work === undefined && text !== '') return screen.discard()
      if (presses++ > 0) return leave()
      screen.note([work === undefined ? 'Press Ctrl-C again to leave.' : STILL_STOPPING])
    },
    onEscape: stop,
    onEnd: () => (work === undefined ? leave() : screen.note(['Something runs: Ctrl-C stops it.'])),
    onKey() {
      if (presses > 0) showWaiting()
      presses = 0
    },
  })

  function stop(): void {
    if (work === undefined) return
    work.abort(new Error('stopped by the person'))
    screen.busy('stopping')
  }

  function showWaiting(): void {
    screen.note(waiting.map((text) => `waits: ${text.slice(0, 200)}`))
  }

  function refresh(): void {
    const { promptTokens, threshold, costs } = agent.status()
    const price = costs.usd === null ? [] : [dollars(costs.usd)]
    const parts = [`${count(promptTokens)} tokens`, `compacts at ${count(threshold)}`]
    const { window } = agent.facts
    screen.footer([...parts, `window ${count(window)}`, ...price, `session ${agent.id}`].join(' · '))
  }

  function submit(text: string): void {
    if (text.trim().toLowerCase() === '/quit') leave()
    else if (work === undefined) void start(text)
    else {
      waiting.push(text)
      showWaiting()
    }
  }

  async function start(text: string): Promise<void> {
    work = new AbortController()
    const isDone = await handle(text, work.signal)
    work = undefined
    presses = 0
    screen.busy(undefined)
    refresh()
    const [next, ...rest] = waiting
    waiting = isDone ? rest : []
    showWaiting()
    if (next === undefined) return
    if (isDone) submit(next)
    else screen.draft([next, ...rest].join('\n'))
  }

  async function handle(text: string, signal: AbortSignal): Promise<boolean> {
    const meant = readInput(text, existsSync)
    screen.said(text)
    if (meant.kind === 'command') return runCommand(meant.command, meant.argument, signal)
    if (meant.kind === 'message') {
      const { length } = agent.history
      const isDone = await runTurn((options) => agent.say(text, options), signal)
      // A refused text is not recorded, so it returns to the editor.
      if (!isDone && agent.history.length === length) screen.draft(text)
      return isDone
    }
    const hint = meant.closest === undefined ? '/help lists them' : `did you mean /${meant.closest}?`
    screen.print(`There is no command /${meant.name}: ${hint}`, 'bad')
    return true
  }

  async function runTurn(
    begin: (options: TurnOptions) => Promise<TurnEnd>,
    signal: AbortSignal,
  ): Promise<boolean> {
    screen.busy(WORKING)
    const view = createTurnView(screen, theme, refresh)
    try {
      const { reason, text } = await begin({ signal, on: view.on })
      view.end(text)
      if (reason !== 'answered') screen.print(ENDS[reason], 'dim')
      return reason !== 'stopped' && reason !== 'too-many-rounds'
    } catch (error) {
      const again = agent.hasQuestion() ? ' /retry asks again.' : ''
      if (signal.aborted) screen.print(ENDS.stopped, 'dim')
      else screen.print(`${failureLine(error)}${again}`, 'bad')
      return false
    }
  }

  async function runCommand(command: ChatCommand, argument: string, signal: AbortSignal): Promise<boolean> {
    screen.busy(`/${command.name}`)
    let isDone = true
    const host: CommandHost = {
      ...{ agent, tokens, signal, leave, resume, draft: screen.draft },
      ...{ chats: input.chats, openPage: input.openPage },
      print: (text) => screen.print(text),
      choose: (title, choices) => screen.ask({ title, choices }, signal),
      introduce: () => introduce(screen, agent),
      async turn(begin) {
        isDone = await runTurn(begin, signal)
      },
    }
    try {
      await command.run(argument, host)
      return isDone
    } catch (error) {
      if (signal.aborted) screen.print(ENDS.stopped, 'dim')
      else screen.print(failureLine(error), 'bad')
      return false
    }
  }

  async function resume(id: string): Promise<void> {
    if (id === agent.id) return screen.print('this is the session that is open')
    const before = agent.history.length === 0 ? undefined : agent.id
    await agent.close()
    try {
      agent = await input.open(confirm, id)
    } catch (error) {
      agent = await input.open(confirm, before)
      throw error
    }
    introduce(screen, agent)
  }

  input.onStart?.(screen)
  signal.addEventListener('abort', leave)
  try {
    screen.start()
    introduce(screen, agent, input.notice)
    refresh()
    for (const text of input.first) submit(text)
    if (signal.aborted) leave()
    await left.promise
    waiting = []
    stop()
  } finally {
    screen.stop()
    signal.removeEventListener('abort', leave)
  }
  const { id, history } = agent
  await agent.close()
  return { id, isResumable: history.length > 0 }
}

const WORKING = 'working, Esc stops'
const STILL_STOPPING = 'Still stopping: Ctrl-C again leaves.'

const EXCERPT = 600

function introduce(screen: ChatScreen, { id, facts, history }: ChatAgent, notice?: string): void {
  const { model, engine, window, workspace } = facts
  screen.print(`palimpsest chat: ${model}, engine ${engine}, window ${count(window)} tokens, in ${workspace}`)
  for (const line of [facts.engineLine, facts.summaries, facts.caching]) screen.print(line, 'dim')
  for (const note of [notice ?? '', ...facts.warnings]) screen.print(note, 'caution')
  if (history.length === 0) {
    screen.print('/help shows what you can type.', 'dim')
    return
  }
  for (const message of history) if (message.role === 'user') screen.remember(messageText(message))
  screen.print(`Session ${id} goes on: ${counted(history.length, 'message')} so far. It stopped here:`)
  for (const message of lastExchange(history)) {
    const text = messageText(message).trim()
    const excerpt = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text
    screen.print(message.role === 'user' ? `> ${excerpt}` : excerpt, 'dim')
  }
}

function lastExchange(history: readonly Message[]): Message[] {
  const asked = history.findLastIndex(({ role }) => role === 'user')
  const answer = history
    .slice(asked + 1)
    .findLast((message) => message.role === 'assistant' && messageText(message).trim() !== '')
  return [history[asked], answer].filter((message) => message !== undefined)
}

const SHOWN = { lines: 400, characters: 60_000 }
const TITLES = {
  run: 'The agent wants to run this command:',
  write: 'The agent wants to write a file:',
  edit: 'The agent wants to edit a file:',
} as const
const ALWAYS = {
  run: 'this very command, in this session',
  write: 'every file that it writes, also over another one, in this session',
  edit: 'every edit, in this session',
} as const
const ANSWERS = { yes: 'allowed', always: 'allowed, and not asked about again', no: 'not allowed' } as const

async function askPerson(
  screen: ChatScreen,
  theme: Theme,
  { kind, subject, diff }: Confirmation,
  signal: AbortSignal,
): Promise<Consent | undefined> {
  screen.print(TITLES[kind], 'caution')
  const lines = safeStart(diff === undefined ? subject : `${subject}\n${diff.trimEnd()}`, SHOWN)
  const shown = lines.map((line) => `  ${diff === undefined ? theme.bold(line) : colored(line, theme)}`)
  screen.add(new Text(shown.join('\n'), 0, 0))
  const answer = await screen.ask(
    {
      title: kind === 'run' ? 'Run it?' : 'Allow it?',
      choices: [
        { value: 'no', label: 'n  No', hint: 'the agent is told so; Esc also stops the turn' },
        { value: 'yes', label: 'y  Yes', hint: 'this time' },
        { value: 'always', label: 'a  Always', hint: ALWAYS[kind] },
      ],
    },
    signal,
  )
  screen.print(ANSWERS[(answer ?? 'no') as Consent], 'dim')
  return answer as Consent | undefined
}

function colored(line: string, { good, bad, accent, dim }: Theme): string {
  if (line.startsWith('+')) return good(line)
  if (line.startsWith('-')) return bad(line)
  return line.startsWith('@@') ? accent(line) : dim(line)
}

const PREVIEW = { lines: 3, characters: 600 }

function createTurnView(screen: ChatScreen, theme: Theme, onUsage: () => void) {
  let answer: Markdown | undefined
  let text = ''
  let hasText = false

  function write(piece: string): void {
    if (answer === undefined) {
      // A dollar sign in a coding agent's text is rarely mathematics.
      const options = { renderLatex: false, preserveOrderedListMarkers: true, preserveBackslashEscapes: true }
      answer = new Markdown('', 0, 0, theme.markdown, undefined, options)
      text = ''
      screen.add(answer, true)
    }
    hasText ||= piece.trim() !== ''
    text += piece
    answer.setText(safeText(text))
    screen.redraw()
  }

  return {
    on: (event: ChatEvent) => {
      if (event.type !== 'text' && event.type !== 'usage') answer = undefined
      switch (event.type) {
        case 'text':
          return write(event.text)
        case 'usage':
          return onUsage()
        case 'tool-start':
          return screen.print(safeLine(`* ${event.name} ${event.summary}`), 'plain')
        case 'tool-end': {
          const lines = safeStart(event.result.trimEnd(), PREVIEW)
          const failed = event.ok ? [] : [theme.bad('  failed')]
          const shown = lines.map((line) => theme.dim(`  ${line}`))
          return screen.add(new Text([...failed, ...shown].join('\n'), 0, 0))
        }
        case 'compaction':
          return screen.print(describeCompaction(event.result), 'dim')
        case 'warning':
          return screen.print(event.warning.message, 'caution')
      }
    },
    end(whole: string): void {
      if (!hasText && whole.trim() !== '') write(whole)
    },
  }
}
