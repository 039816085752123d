import {
  type Message,
  messageText,
  type TokenCounter,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'

export const promptText = (messages: readonly Message[]): string => messages.map(shownMessage).join('\n')

function shownMessage(message: Message): string {
  const calls = toolCallsOf(message).map((call) => [toolCallName(call), toolCallInput(call)])
  return `--- ${message.role}\n${messageText(message)}${calls.length > 0 ? `\n[calls] ${JSON.stringify(calls)}` : ''}`
}

export function tailText(messages: readonly Message[], room: number, tokens: TokenCounter): string {
  const kept: string[] = []
  let left = room
  for (const message of messages.toReversed()) {
    if (left <= 0) break
    const text = shownMessage(message)
    const size = tokens.countText(text)
    kept.unshift(size <= left ? text : text.slice(-Math.floor((text.length * left) / size)))
    left -= size
  }
  return kept.join('\n')
}

const SAID_SHARE = 0.15
const NAMES_SHARE = 0.2
const LINE = 300

export function thirtyLines(messages: readonly Message[], room: number, tokens: TokenCounter): string {
  const said: string[] = []
  let left = room * SAID_SHARE
  for (const message of messages.toReversed()) {
    const line = `user: ${messageText(message).replace(/\s+/g, ' ').trim().slice(0, LINE)}`
    const size = tokens.countText(line)
    if (message.role !== 'user' || size > left) continue
    left -= size
    said.unshift(line)
  }
  const scores = new Map<string, number>()
  for (const [index, message] of messages.entries())
    for (const name of new Set(shownMessage(message).match(/[A-Za-z_][\w./-]{3,}/g)))
      if (/[._/-]|[a-z][A-Z]|^[A-Z]/.test(name)) {
        const weight = (message.role === 'tool' ? 0.25 : 1) / Math.sqrt(messages.length - index + 5)
        scores.set(name, (scores.get(name) ?? 0) + weight)
      }
  const names: string[] = []
  left = room * NAMES_SHARE
  for (const [name] of [...scores].sort(([, a], [, b]) => b - a)) {
    left -= tokens.countText(name) + 1
    if (left < 0) break
    names.push(name)
  }
  const end = tailText(messages, room * (1 - SAID_SHARE - NAMES_SHARE), tokens)
  return `## What the user said\n${said.join('\n')}\n## Names\n${names.join('\n')}\n\n${end}`
}
