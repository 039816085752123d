import type { Terminal } from '@earendil-works/pi-tui'
import type { ChatAgent, Confirm } from '../chat-agent.ts'
import type { CommandHost } from '../commands/chat-command.ts'
import type { ChatScreen } from './chat-screen.ts'
import type { ChatTheme } from './theme.ts'

/** What commands need from the program around the chat. */
export type ChatServices = Pick<CommandHost, 'engines' | 'chats' | 'openPage' | 'tokensOf'> & {
  /** Whether there is such a file. */
  exists(path: string): boolean
}

export interface TerminalChatInput {
  readonly terminal: Terminal
  readonly theme: ChatTheme
  /** `resume`: the id of a session; a new one without it. */
  open(confirm: Confirm, resume?: string): Promise<ChatAgent>
  readonly resume: string | undefined
  /** What is said first, as if the person had typed it. */
  readonly first: readonly string[]
  /** What to know of the choice of the model. */
  readonly notice: string | undefined
  readonly services: ChatServices
  /** In milliseconds. */
  readonly now: () => number
  /** How long the agent may take to end when the person leaves, in milliseconds. */
  readonly patience: number
  /** Aborted when the process is told to end. */
  readonly signal: AbortSignal
  /** Called before the screen is taken, with how to write on it and to give it back. */
  onStart?(screen: Pick<ChatScreen, 'print' | 'stop'>): void
}
