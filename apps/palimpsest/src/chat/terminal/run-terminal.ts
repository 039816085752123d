import { Console } from 'node:console'
import { existsSync } from 'node:fs'
import { Writable } from 'node:stream'
import { ProcessTerminal } from '@earendil-works/pi-tui'
import type { Configuration } from '../../engines/configuration.ts'
import { hintFor } from '../../engines/engine-lines.ts'
import { openInBrowser } from '../../open-in-browser.ts'
import { type PageServer, startPageServer } from '../../serve/http/start-page.ts'
import { EXIT_STOPPED } from '../../stop-signal.ts'
import type { ChatAgentInput } from '../agent/chat-agent-input.ts'
import { listChats } from '../records/list-chats.ts'
import type { ChatScreen } from './chat-screen.ts'
import { chatInTerminal } from './terminal-chat.ts'
import type { ChatServices, TerminalChatInput } from './terminal-chat-input.ts'
import { createTheme } from './theme.ts'

/** Milliseconds for running work to end when the person leaves. */
const PATIENCE = 5_000

export interface TerminalRun
  extends Pick<TerminalChatInput, 'open' | 'resume' | 'first' | 'notice' | 'signal'>,
    Required<Pick<ChatAgentInput, 'home' | 'inspector' | 'tokens'>> {
  readonly configuration: Configuration
  readonly environment: NodeJS.ProcessEnv
}

/** A chat in this process's terminal. Returns the exit code: 0 left, 1 told to end. */
export async function runTerminal(run: TerminalRun): Promise<number> {
  const { environment, signal } = run
  const page = createPage(run)
  const guard = createTerminalGuard()
  try {
    const { id, isResumable } = await chatInTerminal({
      ...run,
      terminal: new ChatTerminal(),
      theme: createTheme(!environment.NO_COLOR),
      services: servicesOf(run, page.open),
      now: Date.now,
      patience: PATIENCE,
      onStart: guard.begin,
    })
    if (isResumable) process.stdout.write(`Go on with: palimpsest chat --resume ${id}\n`)
    return signal.aborted ? EXIT_STOPPED : 0
  } finally {
    guard.end()
    await page.close()
  }
}

function servicesOf(
  { configuration, home, tokens }: TerminalRun,
  openPage: ChatServices['openPage'],
): ChatServices {
  return {
    async engines() {
      const entries = await configuration.discovery.list({ choice: configuration.choice })
      return entries
        .filter(({ available }) => available)
        .map((entry) => ({ value: entry.name, label: entry.name, hint: hintFor(entry) }))
    },
    chats: () => listChats(home),
    openPage,
    tokensOf: (message) => tokens.countMessage(message),
    exists: existsSync,
  }
}

/** The page of this process's sessions, served from the first time that it is asked for. */
function createPage({ inspector, environment }: TerminalRun) {
  let server: Promise<PageServer> | undefined
  return {
    async open(session: string): Promise<string> {
      server ??= startPageServer(inspector)
      const address = `${(await server).url}/#/${encodeURIComponent(session)}`
      await openInBrowser(address, environment)
      return address
    },
    close: async () => (await server)?.close(),
  }
}

type Listener = (data: string) => void

/** This process's terminal, which takes a large paste at once, and what was typed while the program started. */
class ChatTerminal extends ProcessTerminal {
  private gathering: Listener[] = []

  override start(onInput: (data: string) => void, onResize: () => void): void {
    // The keys typed so far stand on this line; they come again as input.
    this.write('\r\x1b[2K')
    const before = process.stdin.listeners('data')
    super.start(onInput, onResize)
    const added = process.stdin.listeners('data').filter((listener) => !before.includes(listener))
    for (const listener of added) {
      const gather = gatherPaste(enterAhead((data) => listener(data)))
      process.stdin.off('data', listener as Listener).on('data', gather)
      this.gathering.push(gather)
    }
  }

  override stop(): void {
    for (const gather of this.gathering) process.stdin.off('data', gather)
    this.gathering = []
    super.stop()
  }
}

/** The end of what was typed; a terminal's answers to what it is asked at the start come in the same piece. */
const LAST_ENTER = /\n(?=$|\p{Cc}\[\?)/u

/**
 * Passes on what a terminal sends. What was typed while the program started has line feeds for Enter: one at its end is made
 * an Enter, so that it is sent; others stay, they may be of a text of several lines.
 */
export function enterAhead(pass: (data: string) => void): (data: string) => void {
  let isFirst = true
  return (data) => {
    pass(isFirst ? data.replace(LAST_ENTER, '\r') : data)
    isFirst = false
  }
}

const START = '\x1b[200~'
const END = '\x1b[201~'

/**
 * Passes on what a terminal sends, a paste in one piece: the library looks through all of a paste again with each of
 * its pieces of 4 KB, which takes half a minute for 10 MB.
 */
export function gatherPaste(pass: (data: string) => void): (data: string) => void {
  let pieces: string[] = []
  /** The end may have begun with it. */
  let tail = ''
  return (data) => {
    const isInside = pieces.length > 0
    if (!isInside && !hasOpenPaste(data)) return pass(data)
    pieces.push(data)
    const isOver = isInside && (tail + data).includes(END)
    tail = (tail + data).slice(1 - END.length)
    if (!isOver) return
    const whole = pieces.join('')
    pieces = []
    tail = ''
    pass(whole)
  }
}

function hasOpenPaste(data: string): boolean {
  const start = data.lastIndexOf(START)
  return start !== -1 && !data.includes(END, start)
}

interface TerminalGuard {
  /** Called when the screen is taken. */
  begin(screen: Pick<ChatScreen, 'print' | 'stop'>): void
  end(): void
}

/** Gives the terminal back however the program ends, and keeps what engines print from tearing the screen. */
export function createTerminalGuard(): TerminalGuard {
  const before = globalThis.console
  let restore: (() => void) | undefined
  return {
    begin(screen: Pick<ChatScreen, 'print' | 'stop'>): void {
      restore = () => screen.stop()
      process.on('exit', restore)
      // Before those of the program, which say what happened and end it.
      process.prependListener('uncaughtException', restore).prependListener('unhandledRejection', restore)
      globalThis.console = new Console(linesTo((line) => screen.print(line, 'dim')))
    },
    end(): void {
      globalThis.console = before
      if (restore === undefined) return
      for (const event of ['exit', 'uncaughtException', 'unhandledRejection']) process.off(event, restore)
    },
  }
}

function linesTo(print: (line: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      print(text.trimEnd())
      done()
    },
  })
}
