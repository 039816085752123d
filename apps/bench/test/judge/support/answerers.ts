import {
  type ChatCall,
  type ChatModel,
  type ChatResponse,
  ModelError,
  type ModelErrorKind,
  messageText,
} from '@palimpsest/core'
import type { Dialogue, Topic } from '../../../src/dialogues/dialogue.ts'
import { holdsItem, promptTexts } from '../../../src/dialogues/presence.ts'
import type { Fact } from '../../../src/judge/ask-judge.ts'
import { statedFact } from '../../../src/judge/question.ts'

/** What an answerer says of a fact of which it may see the value. */
type Say = (fact: Fact, isSeen: boolean) => string

/** A question about what was never said asks for nothing else. */
const NEVER_SAID = /^Remind me of the (?<title>.*): what did we say about the (?<about>[^?]*)\?$/

/**
 * An answerer that says something about every item of the topic that it is asked about. With `lcm_grep` at hand it looks for
 * what it does not see, one round of calls, with the words of the subject.
 */
function answererOf(dialogue: Dialogue, name: string, say: Say): ChatModel {
  return {
    name,
    async chat({ messages, tools = [] }) {
      const asked = messageText(
        messages.findLast(({ role }) => role === 'user') ?? { role: 'user', content: '' },
      )
      const topic = dialogue.topics.find(({ title }) => asked.includes(`the ${title}`))
      const texts = promptTexts(messages).map((text) => text.replaceAll('\\n', '\n').replaceAll('\\"', '"'))
      const items = topic?.items ?? []
      const unseen = items.filter((item) => !holdsItem(texts, item))
      const canSearch = tools.some((tool) => tool.function.name === 'lcm_grep')
      if (canSearch && unseen.length > 0 && messages.at(-1)?.role !== 'tool')
        return calling(unseen.map(({ subject }) => ({ query: subject.join(' ') })))
      if (asked.startsWith('Before we finish')) return saying(titlesIn(dialogue, texts.slice(0, -1)))
      const neverSaid = NEVER_SAID.exec(asked)?.groups
      return saying(neverSaid === undefined ? sayAll(topic, texts, say) : sayNever(neverSaid, say))
    },
  }
}

function sayAll(topic: Topic | undefined, texts: readonly string[], say: Say): string {
  const lines = topic?.items.map((item) => say(statedFact(item, topic.title), holdsItem(texts, item)))
  return lines?.join('\n') ?? ''
}

/** All that came up and is still to be seen, as a list. */
function titlesIn({ raised }: Dialogue, texts: readonly string[]): string {
  const seen = raised.filter(({ title }) => texts.some((text) => text.includes(title)))
  return ['- the whole product', ...seen.map(({ title }) => `- ${title}`)].join('\n')
}

function sayNever({ title, about }: Record<string, string>, say: Say): string {
  return say({ about: `the ${about} of the ${title}`, value: null, wrong: null, item: null }, false)
}

export const saying = (content: string): ChatResponse => ({
  message: { role: 'assistant', content },
  finishReason: 'stop',
  usage: { promptTokens: 1000, completionTokens: 100, totalTokens: 1100 },
})

function calling(searches: readonly object[]): ChatResponse {
  const calls = searches.map((args, index) => ({
    id: `call-${index}`,
    type: 'function' as const,
    function: { name: 'lcm_grep', arguments: JSON.stringify(args) },
  }))
  return { message: { role: 'assistant', content: null, tool_calls: calls }, finishReason: 'tool-calls' }
}

/** Gives every value that it sees, and no other. */
export const oracle = (dialogue: Dialogue): ChatModel =>
  answererOf(dialogue, 'oracle', ({ about, value }, isSeen) =>
    isSeen ? `- ${about}: \`${value}\`` : `- ${about}: I do not know.`,
  )

/** Gives a value for everything, and never the one that holds. */
export const liar = (dialogue: Dialogue): ChatModel =>
  answererOf(dialogue, 'liar', ({ about, wrong }) => `- ${about}: \`${wrong ?? 'made_up'}\``)

/** Gives no value for anything, and sounds as if it did. */
export const waffler = (dialogue: Dialogue): ChatModel =>
  answererOf(dialogue, 'waffler', ({ about }) => `- ${about}: the usual choice, as discussed.`)

/** Keeps what it was asked. */
export function recording(model: ChatModel): { readonly model: ChatModel; readonly calls: ChatCall[] } {
  const calls: ChatCall[] = []
  const chat = (call: ChatCall): Promise<ChatResponse> => {
    calls.push(call)
    return model.chat(call)
  }
  return { model: { ...model, chat }, calls }
}

/** Fails the first so many times; with Infinity, always. */
export function failing(
  model: ChatModel,
  times: number,
  kind: ModelErrorKind,
  retryAfterMs?: number,
): ChatModel {
  let left = times
  return {
    ...model,
    async chat(call) {
      if (left-- > 0)
        throw new ModelError(kind, `no answer: ${kind}`, retryAfterMs === undefined ? {} : { retryAfterMs })
      return model.chat(call)
    },
  }
}
