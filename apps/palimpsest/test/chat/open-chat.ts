import { roughTokenCounter } from '@palimpsest/core'
import { onTestFinished, vi } from 'vitest'
import type { ChatListing } from '../../src/chat/chat-record.ts'
import { createTheme } from '../../src/chat/chat-screen.ts'
import { chatInTerminal, type TerminalChatEnd } from '../../src/chat/terminal-chat.ts'
import { createFakeAgent, type FakeAgent, type FakeAgentInput } from './fake-agent.ts'
import { VirtualTerminal } from './virtual-terminal.ts'

interface OpenChatInput extends FakeAgentInput {
  readonly columns?: number
  readonly rows?: number
  readonly colored?: boolean
  readonly first?: readonly string[]
  readonly resume?: string
  readonly notice?: string
  readonly chats?: readonly ChatListing[]
  /** Called with the id that is to be resumed. */
  readonly reopen?: (id: string | undefined) => FakeAgent
}

export interface OpenChat {
  readonly terminal: VirtualTerminal
  /** The one that is talked to now. */
  agent(): FakeAgent
  readonly ended: Promise<TerminalChatEnd>
  /** What the process would do when it is told to end. */
  readonly signal: AbortController
  /** Lets time pass, in milliseconds. */
  wait(ms: number): void
}

/** A chat with a fake agent, at its first prompt. */
export async function openChat(input: OpenChatInput = {}): Promise<OpenChat> {
  const terminal = new VirtualTerminal(input.columns, input.rows)
  const signal = new AbortController()
  let now = 0
  vi.spyOn(Date, 'now').mockImplementation(() => now)
  let agent: FakeAgent | undefined
  const ended = chatInTerminal({
    terminal,
    theme: createTheme(input.colored ?? false),
    async open(confirm, id) {
      agent =
        agent !== undefined && input.reopen !== undefined
          ? input.reopen(id)
          : createFakeAgent({ ...input, confirm })
      return agent
    },
    resume: input.resume,
    first: input.first ?? [],
    notice: input.notice,
    chats: async () => [...(input.chats ?? [])],
    openPage: async (session) => `http://127.0.0.1:4321/#/${session}`,
    tokens: { ...roughTokenCounter, countMessage: () => 7 },
    signal: signal.signal,
  })
  // A test that fails leaves no spinner behind.
  onTestFinished(() => {
    signal.abort()
    vi.restoreAllMocks()
  })
  await terminal.shows('8,765 tokens')
  return {
    terminal,
    agent: () => agent ?? createFakeAgent(),
    ended,
    signal,
    wait(ms) {
      now += ms
    },
  }
}
