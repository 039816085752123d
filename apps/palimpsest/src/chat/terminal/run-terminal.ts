import { existsSync } from 'node:fs'
import { ProcessTerminal } from '@earendil-works/pi-tui'
import type { Configuration } from '../../engines/configuration.ts'
import { hintFor } from '../../engines/engine-lines.ts'
import { openInBrowser } from '../../open-in-browser.ts'
import { type PageServer, startPageServer } from '../../serve/http/start-page.ts'
import type { ChatAgentInput } from '../agent/chat-agent-input.ts'
import { listChats } from '../records/list-chats.ts'
import { enterAhead } from './enter-ahead.ts'
import { gatherPaste } from './gather-paste.ts'
import { chatInTerminal } from './terminal-chat.ts'
import type { ChatServices, TerminalChatInput } from './terminal-chat-input.ts'
import { createTerminalGuard } from './terminal-guard.ts'
import { createTheme } from './theme.ts'
import { EXIT_STOPPED } from './watch-signals.ts'

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
