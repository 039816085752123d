import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import type { MastraDBMessage } from '@mastra/core/agent'
import {
  type CompletionModel,
  isInstruction,
  type Message,
  messageText,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { simulateReadableStream } from 'ai'
import type { Arm } from '../arm.ts'
import { cutToBudget } from '../bounds.ts'
import { callArguments, type PackageManifest, type PeerInput, packageLabel, peerArm } from './peer-arm.ts'

const PACKAGE = '@mastra/memory'
const manifest: PackageManifest = JSON.parse(
  readFileSync(findPackageJSON(PACKAGE, import.meta.url) ?? '', 'utf8'),
)
/** Messages' share of the common limit: 30,000 tokens of messages and 40,000 of observations by default. */
const MESSAGE_SHARE = 3 / 7
/** Messages are a second apart: Mastra tracks observed messages by their times. */
const FIRST_MS = Date.UTC(2026, 0, 1)
const THREAD = { threadId: 'bench', resourceId: 'bench' }

/**
 * Mastra's observational memory, driven as its agent does: the processor before each request, a list of messages for
 * each question. When messages and observations fill the room, all messages except a new question become observations.
 * Background observation, the default, is off: Mastra refuses it with a budget that both share.
 */
const observations = peerArm(
  {
    name: 'mastra observations',
    description:
      `ObservationalMemoryProcessor of ${packageLabel(manifest)}: messageTokens 3/7 and observationTokens 4/7 of the budget, ` +
      'shareTokenBudget, synchronous (bufferTokens false), its own estimate of tokens; then the observations and the tail that fits',
  },
  (input) => {
    const { budget, tokens } = input
    let opened: ReturnType<typeof openMemory> | undefined
    return async (transcript, head, room) => {
      opened ??= openMemory({ ...input, room })
      const { memories, left, compacted } = await (await opened)(transcript)
      const shown = [...memories, ...left]
      return {
        ...cutToBudget({ head, shown, hasSummary: memories.length > 0 }, { budget, tokens }),
        compacted,
      }
    }
  },
)

export const mastraObservations: Arm = {
  ...observations,
  async open(input) {
    await load()
    return observations.open(input)
  },
}

/** Mastra is large, so it is loaded when the arm is opened, outside of the measured time. */
const load = () =>
  Promise.all([
    import('@mastra/core/mastra'),
    import('@mastra/core/agent'),
    import('@mastra/core/request-context'),
    import('@mastra/core/storage'),
    import('@mastra/memory'),
    import('@mastra/memory/processors'),
  ])

type MemoryInput = PeerInput & { readonly room: number }

async function openMemory({ room, model }: MemoryInput) {
  const [
    { Mastra },
    { MessageList },
    { RequestContext },
    { InMemoryStore },
    { Memory },
    { ObservationalMemoryProcessor },
  ] = await load()
  const messageTokens = Math.floor(room * MESSAGE_SHARE)
  let answered = 0
  const observer = createObserver(model, () => answered++)
  const memory = new Memory({
    storage: new InMemoryStore(),
    options: {
      observationalMemory: {
        // Mastra only streams; its type requires more.
        model: observer as never,
        shareTokenBudget: true,
        observation: { messageTokens, bufferTokens: false },
        reflection: { observationTokens: room - messageTokens },
      },
    },
  })
  // Mastra's own logger would print each failure.
  new Mastra({ logger: false, memory: { memory } })
  await memory.createThread({ ...THREAD })
  const engine = await memory.omEngine
  if (engine === null) throw new TypeError('this version of @mastra/memory has no observational memory')
  const processor = new ObservationalMemoryProcessor(engine, memory)

  const sources = new Map<string, readonly Message[]>()
  const requestContext = new RequestContext()
  let list = new MessageList(THREAD)
  let run = { state: {}, stepNumber: 0 }
  let read = 0
  return async (transcript: readonly Message[]) => {
    for (const { message, isQuestion, source } of toMastra(transcript, read)) {
      if (isQuestion && list.get.response.db().length + run.stepNumber > 0) {
        await processor.processOutputResult({ ...run, messageList: list, requestContext } as never)
        list = new MessageList(THREAD)
        run = { state: {}, stepNumber: 0 }
      }
      sources.set(message.id, source)
      list.add(message, isQuestion ? 'input' : 'response', { merge: false })
    }
    read = transcript.length
    const before = answered
    await processor.processInputStep({ ...run, messageList: list, requestContext } as never)
    run.stepNumber++
    const kept = list.get.all.db()
    // Mastra's observations are system messages after the host's own, and a reminder; here they are one message, like
    // all summaries.
    const memories = [
      ...list.getSystemMessages('observational-memory').map(({ content }) => content),
      ...kept.filter(({ id }) => !sources.has(id)).map(textOf),
    ]
    return {
      memories: memories.length > 0 ? [{ role: 'user' as const, content: memories.join('\n\n') }] : [],
      left: kept.flatMap(({ id }) => sources.get(id) ?? []),
      compacted: answered > before,
    }
  }
}

interface Asked {
  readonly prompt: readonly { readonly content: string | readonly { readonly text?: string }[] }[]
}

function createObserver(model: CompletionModel, onAnswer: () => void) {
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'bench',
    supportedUrls: {},
    async doStream({ prompt }: Asked) {
      const texts = prompt.flatMap(({ content }) =>
        typeof content === 'string' ? [content] : content.flatMap(({ text }) => text ?? []),
      )
      const { text: delta } = await model.complete({ prompt: texts.join('\n\n') })
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

/** Each answer with its results, because Mastra pairs them in one part. */
function* toMastra(transcript: readonly Message[], from: number) {
  for (const [index, source] of transcript.entries()) {
    if (index < from || isInstruction(source) || source.role === 'tool') continue
    const text = messageText(source)
    const behind = transcript.slice(index + 1)
    const end = behind.findIndex(({ role }) => role !== 'tool')
    const results = toolCallsOf(source).length === 0 ? [] : end < 0 ? behind : behind.slice(0, end)
    const calls = toolCallsOf(source).map((call) => {
      const result = results.find((each) => each.role === 'tool' && each.tool_call_id === call.id)
      const about = { toolCallId: call.id, toolName: toolCallName(call), args: callArguments(call) }
      return {
        type: 'tool-invocation' as const,
        toolInvocation:
          result === undefined
            ? { ...about, state: 'call' as const }
            : { ...about, state: 'result' as const, result: messageText(result) },
      }
    })
    const message: MastraDBMessage = {
      ...THREAD,
      id: `m${index}`,
      role: source.role === 'user' ? 'user' : 'assistant',
      createdAt: new Date(FIRST_MS + index * 1000),
      content: {
        format: 2,
        parts: [...(text === '' && calls.length > 0 ? [] : [{ type: 'text' as const, text }]), ...calls],
      },
    }
    yield { message, isQuestion: source.role === 'user', source: [source, ...results] }
  }
}

const textOf = ({ content }: MastraDBMessage): string =>
  content.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
