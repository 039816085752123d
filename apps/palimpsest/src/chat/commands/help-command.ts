import type { ChatCommand } from './chat-command.ts'
import { rows } from './rows.ts'

/** Keys of the chat, for its help. */
const KEYS = [
  ['Enter', 'sends; while the agent works, it waits for its turn'],
  ['Shift+Enter', 'a new line, as do Ctrl+J and a backslash before Enter'],
  ['Up', 'what you wrote before'],
  ['Tab', 'completes commands and paths'],
  ['Esc, Ctrl+C', 'stop the turn; what waits comes back into the prompt'],
  ['Ctrl+C twice', 'leaves, at an empty prompt, as does Ctrl+D'],
] as const

export const helpCommand: ChatCommand = {
  name: 'help',
  help: 'what you can type',
  run(_argument, { commands, print }) {
    const lines = commands.map(
      ({ name, argument, help }) => [`/${name}${argument ? ` ${argument}` : ''}`, help] as const,
    )
    print(`${rows([...lines, ...KEYS])}\n\nEverything else is said to the model.`)
  },
}
