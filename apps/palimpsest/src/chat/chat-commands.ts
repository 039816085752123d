import {
  type LastCompaction,
  type Message,
  messageText,
  type TokenCounter,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { closestName } from '@palimpsest/core/options'
import { count, counted } from '../count.ts'
import { columns } from '../engines/engine-lines.ts'
import type { TurnEnd, TurnOptions } from './chat-agent.ts'
import type { ChatListing } from './chat-record.ts'
import type { ChatAgent } from './create-chat-agent.ts'
import { describeCompaction, dollars } from './text.ts'

export interface ChatCommand {
  readonly name: string
  readonly argument?: string
  readonly help: string
  run(argument: string, host: CommandHost): Promise<void> | void
}

export interface Choice {
  readonly value: string
  readonly label: string
  readonly hint?: string
}

export interface CommandHost {
  readonly agent: ChatAgent
  readonly tokens: TokenCounter
  readonly signal: AbortSignal
  print(text: string): void
  choose(title: string, choices: readonly Choice[]): Promise<string | undefined>
  turn(begin: (options: TurnOptions) => Promise<TurnEnd>): Promise<void>
  draft(text: string): void
  introduce(): void
  resume(id: string): Promise<void>
  chats(): Promise<ChatListing[]>
  openPage(session: string): Promise<string>
  leave(): void
}

type ChatInput =
  | { readonly kind: 'message' }
  | { readonly kind: 'command'; readonly command: ChatCommand; readonly argument: string }
  /** `closest`: the command that was probably meant. */
  | { readonly kind: 'unknown'; readonly name: string; readonly closest: string | undefined }

/**
 * A slash and a word are always a command: sending a mistyped one to the model would cost a turn. A word with another
 * slash or a dot is a path, and so is one that `exists` finds.
 */
export function readInput(text: string, exists: (path: string) => boolean): ChatInput {
  const [, name, argument = ''] = /^\/([a-z][\w-]*)(?:\s+(\S.*))?$/is.exec(text.trim()) ?? []
  if (name === undefined) return { kind: 'message' }
  const command = CHAT_COMMANDS.find((known) => known.name === name.toLowerCase())
  if (command !== undefined) return { kind: 'command', command, argument: argument.trim() }
  if (exists(`/${name}`)) return { kind: 'message' }
  const names = CHAT_COMMANDS.map((known) => known.name)
  return { kind: 'unknown', name, closest: closestName(name, names) }
}

export const CHAT_COMMANDS: readonly ChatCommand[] = [
  {
    name: 'compress',
    argument: '[focus]',
    help: 'compacts the context now; the focus says what the summary should dwell on',
    async run(argument, { agent, signal, print }) {
      print(describeCompaction(await agent.compress(argument || undefined, signal)))
    },
  },
  {
    name: 'decide',
    argument: '<text>',
    help: 'says it, and puts it on record as decided, word for word (engine decisions)',
    async run(argument, { agent, signal, print, turn }) {
      if (argument === '') return print('/decide takes the words that are decided')
      await turn((options) => agent.say(argument, options))
      print(await agent.decide(argument, signal))
    },
  },
  {
    name: 'uncompress',
    help: 'puts back what the last compaction took out of the context',
    async run(_argument, { agent, print }) {
      const undone = await agent.uncompress()
      print(undone === undefined ? 'there is no compaction to undo' : describeUndone(undone))
    },
  },
  {
    name: 'context',
    argument: '[full]',
    help: 'what the model sees with the next request, message by message',
    async run(argument, { agent, signal, print, tokens }) {
      if (!['', 'full'].includes(argument)) return print('/context takes "full" or nothing')
      print(renderContext(await agent.context(signal), tokens, argument === 'full'))
    },
  },
  {
    name: 'status',
    help: 'session, engine, tokens, and what requests cost since this program started',
    run: (_argument, { agent, print }) => print(renderStatus(agent).trimEnd()),
  },
  {
    name: 'page',
    help: 'opens the page that shows this context live in a browser',
    async run(_argument, { agent, openPage, print }) {
      print(`the page of this session: ${await openPage(agent.id)}`)
    },
  },
  {
    name: 'undo',
    help: 'takes the last turn back and lets you write it anew; files stay as they are',
    async run(_argument, { agent, print, draft }) {
      const said = await agent.undo()
      if (said === undefined) return print('there is nothing to take back')
      print('taken back; files stay as they are')
      draft(said)
    },
  },
  {
    name: 'retry',
    help: 'asks the last question again, after a turn that failed or was stopped',
    async run(_argument, { agent, print, turn }) {
      if (!agent.hasQuestion()) return print('there is no question to ask again')
      await turn(async (options) => (await agent.retry(options)) ?? { reason: 'answered', text: '' })
    },
  },
  {
    name: 'new',
    help: 'ends this session, which can be resumed, and begins a new one',
    async run(_argument, { agent, introduce, print }) {
      const { id, history } = agent
      const hasText = history.length > 0
      await agent.begin()
      introduce()
      if (hasText) print(`The session before goes on with: /resume ${id}`)
    },
  },
  {
    name: 'resume',
    argument: '[id]',
    help: 'goes on with an earlier session; without an id it lists them',
    async run(argument, { agent, chats, choose, print, resume }) {
      if (argument !== '') return resume(argument)
      const others = (await chats()).filter(({ id }) => id !== agent.id)
      if (others.length === 0) return print('there is no other session to go on with')
      const choices = others.map(({ id, firstWords, messages, at }) => ({
        value: id,
        label: firstWords || id,
        hint: `${counted(messages, 'message')}, ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}`,
      }))
      const id = await choose('Which session?', choices)
      if (id !== undefined) await resume(id)
    },
  },
  {
    name: 'help',
    help: 'what you can type',
    run(_argument, { print }) {
      const lines = CHAT_COMMANDS.map(
        ({ name, argument, help }) => [`/${name}${argument ? ` ${argument}` : ''}`, help] as const,
      )
      print(`${columns([...lines, ...KEYS])}\nEverything else is said to the model.`)
    },
  },
  { name: 'quit', help: 'leaves; the session can be resumed', run: (_argument, host) => host.leave() },
]

const KEYS = [
  ['Enter', 'sends; while the agent works, the text waits for its turn'],
  ['Shift+Enter', 'a new line, as do Ctrl+J and a backslash before Enter'],
  ['Up', 'what you wrote before'],
  ['Tab', 'completes commands and paths'],
  ['Esc, Ctrl+C', 'stop the turn; what waits comes back into the prompt'],
  ['Ctrl+C twice', 'leaves, at an empty prompt, as does Ctrl+D'],
] as const

function describeUndone({ left }: LastCompaction): string {
  const [first, last] = [left.at(0), left.at(-1)]
  if (first === undefined || last === undefined) return 'the summaries before the last compaction are back'
  const places = first === last ? `number ${first.index}` : `numbers ${first.index} to ${last.index}`
  return `back in the context: ${counted(left.length, 'message')}, ${places} of the conversation`
}

function renderStatus({ id, facts, status }: ChatAgent): string {
  const { messages, turns, promptTokens, threshold, compactions, file, costs } = status()
  const { requests, cachedTokens, completionTokens, usd, unreported } = costs
  const share = costs.promptTokens === 0 ? 0 : Math.round((100 * cachedTokens) / costs.promptTokens)
  return columns([
    ['session', id],
    ['engine', facts.engine],
    ['model', facts.model],
    ['said', `${counted(messages, 'message')} in ${counted(turns, 'turn')}`],
    ['last prompt', promptTokens === 0 ? 'none yet' : `${count(promptTokens)} tokens`],
    ['compacts from', `${count(threshold)} of ${count(facts.window)} tokens`],
    ['compactions', count(compactions)],
    ['kept in', file],
    [
      'requests',
      unreported === 0 ? count(requests) : `${count(requests)}, ${count(unreported)} without usage`,
    ],
    ['prompts', `${count(costs.promptTokens)} tokens, ${share} % of them cached`],
    ['answers', `${count(completionTokens)} tokens`],
    ['cost', usd === null ? "not known: the model's prices are not" : dollars(usd)],
  ])
}

const SHOWN = { first: 6, last: 14, characters: 160 }

function renderContext(
  context: Awaited<ReturnType<ChatAgent['context']>>,
  counter: TokenCounter,
  isFull: boolean,
): string {
  const { messages, tools, tokens } = context
  const total = `${count(tokens)} tokens in ${counted(messages.length, 'message')} and ${counted(tools.length, 'tool')}`
  const lines = messages.map((message, index) => `${index + 1} ${renderMessage(message, counter, isFull)}`)
  const hidden = lines.length - SHOWN.first - SHOWN.last
  if (isFull || hidden <= 1) return [total, ...lines].join('\n')
  const note = `… ${count(hidden)} more messages: /context full shows them`
  return [total, ...lines.slice(0, SHOWN.first), note, ...lines.slice(-SHOWN.last)].join('\n')
}

function renderMessage(message: Message, counter: TokenCounter, isFull: boolean): string {
  const calls = toolCallsOf(message).map((call) => `→ ${toolCallName(call)}(${toolCallInput(call)})`)
  const whole = [messageText(message), ...calls].filter((part) => part !== '').join('\n')
  const head = `${message.role} (${counted(counter.countMessage(message), 'token')})`
  if (isFull) return `${head}\n${whole}\n`
  const line = whole.slice(0, 4 * SHOWN.characters).replace(/\s+/g, ' ')
  return `${head} ${line.length > SHOWN.characters ? `${line.slice(0, SHOWN.characters)}…` : line}`
}
