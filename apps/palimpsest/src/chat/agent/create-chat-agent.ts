import {
  errorText,
  findLastUser,
  type Message,
  messageText,
  PalimpsestError,
  type PrepareOptions,
} from '@palimpsest/core'
import { OFFLINE_SUMMARIES } from '../../models/find-summary-model.ts'
import { createPromptCache } from '../../prompt-cache.ts'
import { OFFLINE_MODEL } from '../../serve/models/offline-answerer.ts'
import { UsageError } from '../../usage-error.ts'
import type { ChatAgent, ChatFacts, ChatStatus, TurnEnd, TurnOptions } from '../chat-agent.ts'
import { createTools } from '../tools/create-tools.ts'
import { openWorkspace } from '../tools/workspace.ts'
import { assertQuestionFits } from './assert-question-fits.ts'
import type { ChatAgentInput } from './chat-agent-input.ts'
import { chatSystemPrompt, OFFLINE_PROMPT, workspaceInstructions } from './chat-system-prompt.ts'
import { createCostMeter, meterCompletion } from './cost-meter.ts'
import { createChatOpener, type OpenChat } from './open-chat.ts'
import { patiently } from './patiently.ts'
import { type ChatTurnInput, runChatTurn } from './run-turn.ts'

/** Milliseconds for an engine to follow what was taken back; the next turn makes up for it. */
const FOLLOW_LIMIT = 5_000

/** The parts of a chat that stay when its record or its engine changes. */
type ChatParts = Awaited<ReturnType<typeof openParts>>

async function openParts(input: ChatAgentInput) {
  const { configuration, model, window, confirm, tokens, clock, reader, summaries } = input
  const workspace = await openWorkspace(input.workspace)
  const instructions = await workspaceInstructions(workspace)
  const prompt = chatSystemPrompt({ workspace, clock, instructions: instructions.text })
  const system: Message = { role: 'system', content: model === undefined ? OFFLINE_PROMPT : prompt }
  const settings = configuration.config.prompt_caching
  const warnings: string[] = []
  const cache = createPromptCache({ caching: input.caching, settings, tokens, clock })
  const meter = createCostMeter(model?.name, cache.prices)
  const opener = createChatOpener({
    ...{ input, workspace: workspace.root, cache },
    reader: reader && meterCompletion(reader, meter),
    summarizer: summaries?.model && meterCompletion(summaries.model, meter),
  })
  const kit = createTools({ workspace, confirm, window, environment: process.env })
  // A model that quotes the context calls no tool.
  const tools = model === undefined ? { all: [], waited: 0 } : kit
  const schemas = tools.all.map(({ schema }) => schema)
  const close = async () => {
    kit.close()
  }
  const fixed = { workspace, instructions, system, cache, meter, opener, tools, schemas }
  return { ...fixed, warnings, close }
}

/**
 * Begins a chat, or goes on with one.
 *
 * @throws UsageError for a workspace, an id, a record, an engine or a store that cannot be used; nothing is left behind
 *   then.
 */
export async function createChatAgent(input: ChatAgentInput): Promise<ChatAgent> {
  const parts = await openParts(input)
  const { system, meter, opener, schemas } = parts
  let { flags } = input
  let chat = await opener.open(flags, input.resume)
  let promptTokens = 0
  let closed: Promise<void> | undefined
  const onPrompt = (used: number) => {
    promptTokens = used
  }
  const turns = createTurns(input, parts, () => chat, onPrompt)

  const prepare = (options: PrepareOptions) =>
    chat.engine.unrecorded.prepare([system, ...chat.record.messages], { tools: schemas, ...options })

  return {
    get id() {
      return chat.record.id
    },
    get facts() {
      return chatFacts(input, parts, chat)
    },
    get history() {
      return chat.record.messages
    },
    ...turns,
    async compress(focus, signal) {
      // After a resumption the engine has not seen the conversation yet.
      await prepare({ signal })
      const { record, engine } = chat
      const options = { signal, ...(focus !== undefined && { focusTopic: focus }) }
      const result = await engine.session.compact(options)
      await record.noteProjection(engine.session.stored)
      return result
    },
    async uncompress() {
      const { record, engine } = chat
      const undone = await engine.session.undoCompaction()
      await record.noteProjection(engine.session.stored)
      return undone
    },
    async undo() {
      const at = findLastUser(chat.record.messages)
      const question = chat.record.messages[at]
      if (question === undefined) return undefined
      await chat.record.keep(at)
      let isFollowed = false
      const follow = prepare({ signal: AbortSignal.timeout(FOLLOW_LIMIT) }).then(() => {
        isFollowed = true
      })
      await patiently(follow, FOLLOW_LIMIT)
      if (isFollowed) await chat.record.noteProjection(chat.engine.session.stored)
      return messageText(question)
    },
    async reset() {
      await chat.record.reset()
      await chat.engine.session.reset()
      promptTokens = 0
    },
    async begin() {
      const next = await opener.open(flags, undefined, flags !== input.flags)
      const before = chat
      chat = next
      promptTokens = 0
      await opener.close(before)
    },
    async useEngine(name) {
      const { record, engine: before } = chat
      if (name === before.name) return
      // A profile is one of the engine that it was named for.
      const { profile: _, ...others } = flags
      const next = { ...others, engine: name }
      const engine = await opener.openChosen(record, next).catch((cause: unknown) => {
        throw PalimpsestError.isInstance(cause) ? new UsageError(errorText(cause), { cause }) : cause
      })
      flags = next
      chat = { record, engine }
      await record.noteEngine(engine.name)
      await before.close()
    },
    status: async () => chatStatus(input, chat, promptTokens),
    costs: meter.costs,
    async context(signal) {
      const { messages, tools, tokens } = await prepare({ signal, followUp: false })
      return { messages, tools, tokens }
    },
    close() {
      closed ??= Promise.all([parts.close(), opener.close(chat)]).then(() => {})
      return closed
    },
  }
}

/** Saying something, and saying it again. */
function createTurns(
  { window, tokens }: ChatAgentInput,
  { system, tools, schemas, cache, meter }: ChatParts,
  chatNow: () => OpenChat,
  onPrompt: ChatTurnInput['onPrompt'],
): Pick<ChatAgent, 'say' | 'retry' | 'hasQuestion'> {
  /** Messages of the history when the last turn was stopped or failed; undefined when it was not. */
  let stoppedAt: number | undefined

  const answer = async (options: TurnOptions): Promise<TurnEnd> => {
    const { record, engine } = chatNow()
    const { session, model } = engine
    const input = { session, model, system, record, tools, cache, meter, onPrompt }
    let isWhole = false
    try {
      const end = await runChatTurn(input, options)
      isWhole = end.reason !== 'stopped'
      return end
    } finally {
      stoppedAt = isWhole ? undefined : record.messages.length
    }
  }

  const isStopped = () => {
    const { messages } = chatNow().record
    return stoppedAt === messages.length && messages.at(-1)?.role === 'assistant'
  }
  const hasQuestion = () =>
    isStopped() || ['user', 'tool'].includes(chatNow().record.messages.at(-1)?.role ?? '')

  return {
    hasQuestion,
    async say(text, options) {
      const content = text.toWellFormed()
      if (content.trim() === '') throw new UsageError('there is nothing to answer: the message is blank')
      assertQuestionFits({ text: content, system, tools: schemas, window, tokens })
      const { record } = chatNow()
      await record.mend('Error: no result was recorded')
      await record.append({ role: 'user', content })
      return answer(options)
    },
    retry(options) {
      const { record } = chatNow()
      if (!hasQuestion()) return undefined
      // The text before the stop is said again; the work of tools stays done.
      const taken = isStopped() ? record.keep(record.messages.length - 1) : Promise.resolve()
      return taken.then(() => answer(options))
    },
  }
}

function chatFacts(
  { model, window, summaries }: ChatAgentInput,
  { workspace, instructions, cache, warnings }: ChatParts,
  { record, engine }: OpenChat,
): ChatFacts {
  const elsewhere = `this session began in ${record.workspace}, and its tools work in ${workspace.root} now`
  const moved = record.workspace === workspace.root ? [] : [elsewhere]
  return {
    engine: engine.name,
    engineLine: engine.line,
    model: model?.name ?? OFFLINE_MODEL,
    offline: model === undefined,
    workspace: workspace.root,
    window,
    caching: cache.line,
    summaries: summaries?.line ?? `Summaries: ${OFFLINE_SUMMARIES}`,
    warnings: [
      ...(summaries?.notices ?? []),
      ...warnings,
      ...engine.warnings,
      ...record.warnings,
      ...instructions.warnings,
      ...moved,
    ],
  }
}

function chatStatus(
  { model, window }: ChatAgentInput,
  { record, engine }: OpenChat,
  promptTokens: number,
): ChatStatus {
  const { stored, engine: own } = engine.session
  const { thresholdTokens, details = {} } = own.status()
  return {
    id: record.id,
    engine: engine.name,
    model: model?.name ?? OFFLINE_MODEL,
    messages: record.messages.length,
    turns: record.messages.filter(({ role }) => role === 'user').length,
    promptTokens,
    threshold: thresholdTokens,
    window,
    compactions: stored?.compactions ?? 0,
    file: record.path,
    details,
  }
}
