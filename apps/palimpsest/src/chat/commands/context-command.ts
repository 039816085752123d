import { type Message, messageText, type ToolCall } from '@palimpsest/core'
import { count, counted } from '../../count.ts'
import type { ChatContext } from '../chat-agent.ts'
import type { ChatCommand } from './chat-command.ts'

/** Messages at each end of a list, and characters of each of them, unless all is asked for. */
const SHOWN = { first: 6, last: 14, characters: 160 }

export const contextCommand: ChatCommand = {
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
