import { counted } from '../../count.ts'
import { describeCompaction } from '../terminal/describe-compaction.ts'
import type { ChatCommand } from './chat-command.ts'
import { contextCommand } from './context-command.ts'
import { newCommand, resetCommand, retryCommand, undoCommand } from './conversation-commands.ts'
import { costsCommand } from './costs-command.ts'
import { rows } from './rows.ts'
import { statusCommand } from './status-command.ts'

const resumeCommand: ChatCommand = {
  name: 'resume',
  argument: '[id]',
  help: 'goes on with an earlier session; without an id it lists them',
  async run(argument, { agent, chats, choose, print, resume }) {
    if (argument !== '') return resume(argument)
    const others = (await chats()).filter(({ id }) => id !== agent.id)
    if (others.length === 0) return print('there is no other session to go on with')
    const id = await choose(
      'Which session?',
      others.map(({ id, firstWords, messages, at }) => ({
        value: id,
        label: firstWords || id,
        hint: `${counted(messages, 'message')}, ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}`,
      })),
    )
    if (id !== undefined) await resume(id)
  },
}

const pageCommand: ChatCommand = {
  name: 'page',
  help: 'opens the page that shows this context live in a browser',
  async run(_argument, { agent, openPage, print }) {
    print(`the page of this session: ${await openPage(agent.id)}`)
  },
}

/** Keys of the chat, for its help. */
const KEYS = [
  ['Enter', 'sends; while the agent works, it waits for its turn'],
  ['Shift+Enter', 'a new line, as do Ctrl+J and a backslash before Enter'],
  ['Up', 'what you wrote before'],
  ['Tab', 'completes commands and paths'],
  ['Esc, Ctrl+C', 'stop the turn; what waits comes back into the prompt'],
  ['Ctrl+C twice', 'leaves, at an empty prompt, as does Ctrl+D'],
] as const

const helpCommand: ChatCommand = {
  name: 'help',
  help: 'what you can type',
  run(_argument, { commands, print }) {
    const lines = commands.map(
      ({ name, argument, help }) => [`/${name}${argument ? ` ${argument}` : ''}`, help] as const,
    )
    print(`${rows([...lines, ...KEYS])}\n\nEverything else is said to the model.`)
  },
}

const engineCommand: ChatCommand = {
  name: 'engine',
  argument: '[name]',
  help: 'goes on with another context engine; without a name it lists them',
  async run(argument, { agent, engines, choose, print }) {
    const current = agent.facts.engine
    const name = argument || (await choose(`The engine is ${current}.`, await engines(), current))
    if (name === undefined) return
    if (name === current) return print(`the engine is ${current} already`)
    const before = agent.facts.warnings
    await agent.useEngine(name)
    const { engine, warnings } = agent.facts
    print(`the engine is ${engine} now: it reads the conversation from its beginning`)
    for (const warning of warnings.filter((one) => !before.includes(one))) print(warning)
  },
}

const compressCommand: ChatCommand = {
  name: 'compress',
  argument: '[focus]',
  help: 'compacts the context now; the focus says what the summary should dwell on',
  async run(argument, { agent, signal, print }) {
    print(describeCompaction(await agent.compress(argument || undefined, signal)))
  },
}

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
