import { type LastCompaction, type Message, messageText, type ToolCall } from '@palimpsest/core'
import { count, counted } from '../../count.ts'
import type { ChatAgent, ChatContext } from '../chat-agent.ts'
import { describeCompaction, rows } from '../texts.ts'
import type { ChatCommand } from './chat-command.ts'
import { costsCommand, statusCommand } from './status-commands.ts'

const newCommand: ChatCommand = {
  name: 'new',
  help: 'ends this session, which can be resumed, and begins a new one',
  async run(_argument, { agent, introduce, print }) {
    const { id, history } = agent
    const hasText = history.length > 0
    await agent.begin()
    introduce()
    if (hasText) print(`The session before goes on with: /resume ${id}`)
  },
}

const resetCommand: ChatCommand = {
  name: 'reset',
  help: 'forgets this conversation and goes on under the same id; asks first',
  async run(_argument, { agent, choose, print }) {
    const answer = await choose(`Forget the conversation of session ${agent.id}?`, [
      { value: 'no', label: 'No', hint: 'keep it' },
      { value: 'yes', label: 'Yes', hint: 'it cannot be brought back' },
    ])
    if (answer !== 'yes') return print('kept')
    await agent.reset()
    print('forgotten: the conversation is empty')
  },
}

const undoCommand: ChatCommand = {
  name: 'undo',
  argument: '[compaction]',
  help: 'takes the last turn back and lets you write it anew (files stay as they are), or the last compaction',
  async run(argument, { agent, print, draft }) {
    if (argument === 'compaction') return undoCompaction(agent, print)
    if (argument !== '') return print('/undo takes "compaction" or nothing')
    const said = await agent.undo()
    if (said === undefined) return print('there is nothing to take back')
    print('taken back; files stay as they are')
    draft(said)
  },
}

const retryCommand: ChatCommand = {
  name: 'retry',
  help: 'asks the last question again, after a turn that failed or was stopped',
  async run(_argument, { agent, print, turn }) {
    let isThere = true
    await turn(async (options) => {
      const end = agent.retry(options)
      isThere = end !== undefined
      return end ?? { reason: 'answered', text: '' }
    })
    if (!isThere) print('there is no question to ask again')
  },
}

/** Messages at each end of a list, and characters of each of them, unless all is asked for. */
const SHOWN = { first: 6, last: 14, characters: 160 }

const contextCommand: ChatCommand = {
  name: 'context',
  argument: '[full]',
  help: 'what the model sees with the next request, message by message',
  async run(argument, { agent, signal, print, tokensOf }) {
    if (!['', 'full', '--full'].includes(argument)) return print('/context takes "full" or nothing')
    print(renderContext(await agent.context(signal), tokensOf, argument !== ''))
  },
}

type TokensOf = (message: Message) => number

function renderContext(
  { messages, tools, tokens }: ChatContext,
  tokensOf: TokensOf,
  isFull: boolean,
): string {
  const total = `${count(tokens)} tokens in ${counted(messages.length, 'message')} and ${counted(tools.length, 'tool')}`
  const names = tools.map(({ function: { name } }) => name).join(', ')
  const lines = messages.map((message, index) => `${index + 1} ${renderMessage(message, tokensOf, isFull)}`)
  const hidden = lines.length - SHOWN.first - SHOWN.last
  const shown =
    isFull || hidden <= 1
      ? lines
      : [
          ...lines.slice(0, SHOWN.first),
          `… ${count(hidden)} more messages: /context full shows them`,
          ...lines.slice(-SHOWN.last),
        ]
  return [total, ...(names === '' ? [] : [`tools: ${names}`]), ...shown].join('\n')
}

function renderMessage(message: Message, tokensOf: TokensOf, isFull: boolean): string {
  const text = messageText(message)
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []).map(callText) : []
  const whole = [text, ...calls].filter((part) => part !== '').join('\n')
  const head = `${message.role} (${counted(tokensOf(message), 'token')})`
  if (isFull) return `${head}\n${whole}\n`
  const line = whole.slice(0, 4 * SHOWN.characters).replace(/\s+/g, ' ')
  return `${head} ${line.length > SHOWN.characters ? `${line.slice(0, SHOWN.characters)}…` : line}`
}

function callText(call: ToolCall): string {
  return call.type === 'function'
    ? `→ ${call.function.name}(${call.function.arguments})`
    : `→ ${call.custom.name}(${call.custom.input})`
}

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

const uncompressCommand: ChatCommand = {
  name: 'uncompress',
  help: 'puts back what the last compaction took out of the context',
  run: (_argument, { agent, print }) => undoCompaction(agent, print),
}

async function undoCompaction(agent: ChatAgent, print: (text: string) => void): Promise<void> {
  const undone = await agent.uncompress()
  print(undone === undefined ? 'there is no compaction to undo' : describeUndone(undone))
}

function describeUndone({ left }: LastCompaction): string {
  const [first, last] = [left.at(0), left.at(-1)]
  if (first === undefined || last === undefined) return 'the summaries before the last compaction are back'
  const places = first === last ? `number ${first.index}` : `numbers ${first.index} to ${last.index}`
  const are = left.length === 1 ? 'is' : 'are'
  return `${counted(left.length, 'message')} ${are} in the context again, ${places} of the conversation`
}

const quitCommand: ChatCommand = {
  name: 'quit',
  help: 'leaves; the session can be resumed',
  run: (_argument, host) => host.leave(),
}

/** All commands of the chat, in the order of the help. */
export const CHAT_COMMANDS: readonly ChatCommand[] = [
  compressCommand,
  uncompressCommand,
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
