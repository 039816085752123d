import type { ChatCommand } from './chat-command.ts'
import { compressCommand } from './compress-command.ts'
import { contextCommand } from './context-command.ts'
import { newCommand, resetCommand, retryCommand, undoCommand } from './conversation-commands.ts'
import { costsCommand } from './costs-command.ts'
import { engineCommand } from './engine-command.ts'
import { helpCommand } from './help-command.ts'
import { pageCommand } from './page-command.ts'
import { resumeCommand } from './resume-command.ts'
import { statusCommand } from './status-command.ts'

const quitCommand: ChatCommand = {
  name: 'quit',
  help: 'leaves; the session can be resumed',
  run: (_argument, host) => host.leave(),
}

/** All commands of the chat, in the order of the help. */
export const CHAT_COMMANDS: readonly ChatCommand[] = [
  compressCommand,
  contextCommand,
  statusCommand,
  costsCommand,
  engineCommand,
  pageCommand,
  undoCommand,
  retryCommand,
  newCommand,
  resetCommand,
  resumeCommand,
  helpCommand,
  quitCommand,
]
