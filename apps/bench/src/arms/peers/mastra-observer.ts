import type { CompletionModel, Message, TokenCounter } from '@palimpsest/core'
import { EXCERPTS_HEADING, summarizeExtractively } from '@palimpsest/extractive'
import { simulateReadableStream } from 'ai'
import { functionCall } from '../../workload/conversation.ts'

interface ObserverInput {
  /** The most that an answer takes, in tokens. A model that is given is not bounded. */
  readonly maxTokens: number
  readonly tokens: TokenCounter
  /** Default: the offline summariser. */
  readonly model?: CompletionModel | undefined
  readonly onAnswer: () => void
}

interface Asked {
  readonly prompt: readonly { readonly content: string | readonly { readonly text?: string }[] }[]
}

/** Plays the model of Mastra's observer and reflector: one of the AI SDK that streams. */
export function createObserver({ onAnswer, ...input }: ObserverInput) {
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'bench',
    supportedUrls: {},
    async doStream({ prompt }: Asked) {
      const texts = prompt.flatMap(({ content }) =>
        typeof content === 'string' ? [content] : content.flatMap(({ text }) => text ?? []),
      )
      const delta = await answer(texts, input)
      onAnswer()
      const chunks = [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: 'text' },
        { type: 'text-delta', id: 'text', delta },
        { type: 'text-end', id: 'text' },
        { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: NO_USAGE },
      ]
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) }
    },
  }
}

const NO_USAGE = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

const HISTORY = '## New Message History to Observe'
const OBSERVATIONS = /^## OBSERVATIONS TO REFLECT ON\n\n([\s\S]*?)\n\n---\n\nPlease analyze/
const BOUNDARY = /\n+--- message boundary \(\S+\) ---\n+/

async function answer(
  texts: readonly string[],
  { maxTokens, tokens, model }: Omit<ObserverInput, 'onAnswer'>,
): Promise<string> {
  if (model !== undefined) return (await model.complete({ prompt: texts.join('\n\n') })).text
  const [, observations] = texts.map((text) => OBSERVATIONS.exec(text)).find((found) => found !== null) ?? []
  const text =
    observations === undefined
      ? summarizeExtractively({
          messages: readHistory(texts.slice(texts.findIndex((each) => each.startsWith(HISTORY)) + 1)),
          maxTokens,
          tokens,
        })
      : summarizeExtractively({
          messages: [],
          previousSummary: joinExcerpts(observations.split(BOUNDARY)),
          maxTokens,
          tokens,
        })
  return `<observations>\n${text}\n</observations>`
}

/** Observations are appended: each has the heading of the excerpts. */
const joinExcerpts = (parts: readonly string[]): string =>
  [EXCERPTS_HEADING, ...parts.map((part) => part.replace(EXCERPTS_HEADING, '').trim())].join('\n')

const BEGINNING = /^(?:(User|Assistant)|Tool (Call|Result|Error) (\S+))(?: \(\d+:\d\d [AP]M\))?: /

/** Reads back what Mastra writes for its observer, one text for each message. Its calls have no ids. */
export function readHistory(texts: readonly string[]): Message[] {
  const messages: Message[] = []
  const open: { readonly id: string; readonly name: string }[] = []
  let calls = 0
  for (const block of texts.flatMap(splitBlocks)) {
    const [beginning, speaker, kind, name = ''] = BEGINNING.exec(block) ?? ['']
    const content = block.slice(beginning.length)
    if (speaker === 'User') messages.push({ role: 'user', content })
    else if (kind === 'Call') {
      const call = functionCall(`c${calls++}`, name, readArguments(content))
      open.push({ id: call.id, name })
      messages.push({ role: 'assistant', content: null, tool_calls: [call] })
    } else if (kind !== undefined) {
      const at = open.findIndex((each) => each.name === name)
      const [call] = at < 0 ? [] : open.splice(at, 1)
      messages.push({ role: 'tool', tool_call_id: call?.id ?? '', content })
    } else messages.push({ role: 'assistant', content })
  }
  return messages
}

const DATE = /^[A-Z][a-z]{2} \d{1,2} \d{4}:$/

/** A part of a message begins a line; a line with the date stands before the first of a day. */
function splitBlocks(text: string): string[] {
  const blocks: string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (index === 0 && DATE.test(line)) continue
    if (blocks.length === 0 || BEGINNING.test(line)) blocks.push(line)
    else blocks[blocks.length - 1] += `\n${line}`
  }
  return blocks
}

const PREVIEWS = '\nLarge string previews (size-limited):\n'

/** Mastra writes arguments as lines of `name: value`, and the beginnings of long texts behind them. */
function readArguments(text: string): Record<string, unknown> {
  const [outline = '', previews = ''] = text.split(PREVIEWS)
  const values: Record<string, unknown> = {}
  for (const line of outline.split('\n')) {
    const [, name, value = ''] = /^([^\s:]+): (.*)$/.exec(line) ?? []
    if (name !== undefined) values[name] = parseOr(value)
  }
  for (const preview of `\n${previews}`.split(/\n(?=[^\s:]+:\n)/)) {
    const [, name, lines = ''] = /^([^\s:]+):\n([\s\S]*)$/.exec(preview.trimStart()) ?? []
    if (name !== undefined) values[name] = lines.replace(/^ {2}\| ?/gm, '')
  }
  return Object.keys(values).length > 0 ? values : { input: text }
}

function parseOr(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
