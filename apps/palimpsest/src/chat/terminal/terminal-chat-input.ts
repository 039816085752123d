import type { Terminal } from '@earendil-works/pi-tui'
import type { ChatAgent, Confirm } from '../chat-agent.ts'
import type { CommandHost } from '../commands/chat-command.ts'
import type { ChatScreen } from './chat-screen.ts'
import type { ChatTheme } from './theme.ts'

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
  /** Said first, as if the person had typed it. */
  readonly first: readonly string[]
  /** About the choice of the model. */
  readonly notice: string | undefined
  readonly services: ChatServices
  /** In milliseconds. */
  readonly now: () => number
  /** Milliseconds for the agent to end when the person leaves. */
  readonly patience: number
  /** Aborted when the process is told to end. */
  readonly signal: AbortSignal
  /** Called before the screen is taken, with how to write on it and to give it back. */
  onStart?(screen: Pick<ChatScreen, 'print' | 'stop'>): void
}
