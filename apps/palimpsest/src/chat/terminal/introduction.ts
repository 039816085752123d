import { type Message, messageText } from '@palimpsest/core'
import { count, counted } from '../../count.ts'
import type { ChatAgent, ChatFacts } from '../chat-agent.ts'
import type { ChatScreen } from './chat-screen.ts'

/** Characters of each message of the last exchange. */
const EXCERPT = 600

/** Says with whom the chat is, and, of a session that goes on, where it stopped. `notice`: what to know of the model. */
export function introduce(screen: ChatScreen, { id, facts, history }: ChatAgent, notice?: string): void {
  screen.print(headline(facts))
  for (const line of [facts.engineLine, facts.summaries, facts.caching]) screen.print(line, 'dim')
  for (const note of [notice ?? '', ...facts.warnings]) screen.print(note, 'caution')
  if (history.length === 0) screen.print('/help shows what you can type.', 'dim')
  else {
    screen.recall(history.filter(({ role }) => role === 'user').map(messageText))
    showLastExchange(screen, id, history)
  }
}

function showLastExchange(screen: ChatScreen, id: string, history: readonly Message[]): void {
  screen.print(`Session ${id} goes on: ${counted(history.length, 'message')} so far. It stopped here:`)
  for (const message of lastExchange(history)) {
    const text = messageText(message).trim()
    const excerpt = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text
    screen.print(message.role === 'user' ? `> ${excerpt}` : excerpt, 'dim')
  }
}

function headline({ engine, model, workspace, window }: ChatFacts): string {
  return `palimpsest chat: ${model}, engine ${engine}, window ${count(window)} tokens, in ${workspace}`
}

/** The last question, and the last that was answered to it. */
function lastExchange(history: readonly Message[]): Message[] {
  const asked = history.findLastIndex(({ role }) => role === 'user')
  const question = history[asked]
  const answer = history
    .slice(asked + 1)
    .findLast((message) => message.role === 'assistant' && messageText(message).trim() !== '')
  return [question, answer].filter((message) => message !== undefined)
}
