import {
  type CompletionModel,
  type ContextSession,
  createContextSession,
  declaredTools,
  equalValues,
  isInstruction,
  isObject,
  looseOf,
  type Message,
  messageText,
  type Prepared,
  printWarning,
  type SystemMessage,
  type ToolSchema,
} from '@palimpsest/core'
import { asSchema, type Instructions, type LanguageModel, type ModelMessage } from 'ai'
import { createAiSdkCompletion } from '../create-ai-sdk-completion.ts'
import { rememberCalls, toModels, toUnits, type Unit } from '../messages/model-messages.ts'
import { type CallNames, withoutApprovals } from '../messages/tool-messages.ts'
import { providerOverflow, toModelError } from '../to-model-error.ts'
import type { ContextEngineOptions, HostTools, PrepareStepOptions } from './context-engine-types.ts'

/** A request with the AI SDK's messages. */
export interface ModelRequest {
  readonly instructions: Instructions | undefined
  readonly messages: readonly ModelMessage[]
}

export interface ModelRequestOptions extends PrepareStepOptions {
  /** The model of this request. Default: the conversation's. */
  readonly modelName?: string | undefined
  /** The application's tools in this request. Default: the conversation's. */
  readonly tools?: readonly ToolSchema[]
}

/** One conversation with one engine in the AI SDK's messages, in any framework. */
export interface ModelConversation {
  readonly session: ContextSession
  /**
   * The engine's tools with names that are not taken. Empty if the engine fails to list them; the session then warns.
   */
  toolSchemas(taken: object): readonly ToolSchema[]
  /**
   * Takes the whole conversation and returns the model's request. Unchanged messages stay the same objects; an engine's
   * note is appended to the instructions.
   */
  prepare(whole: ModelRequest, options?: ModelRequestOptions): Promise<ModelRequest>
  /**
   * The smaller request after a provider refused one as too long. Undefined for other errors.
   *
   * @throws ContextOverflowError as `ContextSession.recover`.
   */
  recover(error: unknown, options?: PrepareStepOptions): Promise<ModelRequest | undefined>
}

/**
 * Starts a conversation, for `contextEngine` and for other frameworks with the AI SDK's messages.
 *
 * @throws InvalidEngineError, InvalidOptionError as `createContextSession`.
 */
export function createModelConversation<Options = Record<string, unknown>>(
  input: ContextEngineOptions<Options>,
): ModelConversation {
  const { model, tools = {}, ...options } = input
  const session = createContextSession<Options>({
    ...options,
    onUnheardWarning: printWarning,
    ...(model !== undefined && { model: toCompletionModel(model) }),
  })
  const ownSchemas = lazily(() => toolSchemasOf(tools))
  let conversation = NO_CONVERSATION
  let made: readonly Unit[] = []

  const compose = ({ messages, origins }: Prepared): ModelRequest => {
    const { instructions, system, leading, body } = conversation
    const [first] = messages
    const sentSystem = first !== undefined && isInstruction(first) ? first : undefined
    const from = sentSystem === undefined ? 0 : 1
    const owners = unitOwners(body, session.transcript, system === undefined ? 0 : 1)
    const projection = { messages: messages.slice(from), origins: origins.slice(from) }
    const request = composeRequest(projection, owners, made)
    made = request.made
    return {
      messages: [...leading, ...request.messages],
      instructions: withNote(instructions, system, sentSystem),
    }
  }

  return {
    session,
    toolSchemas: (taken) =>
      declaredTools(session.engine).filter((schema) => !Object.hasOwn(taken, schema.function.name)),

    async prepare({ instructions, messages }, options = {}) {
      const { abortSignal, focusTopic, modelName, tools = await ownSchemas() } = options
      conversation = readConversation(instructions, messages)
      const prepared = await session.prepare(wireMessages(conversation), {
        tools,
        modelName,
        ...(focusTopic !== undefined && { focusTopic }),
        ...(abortSignal !== undefined && { signal: abortSignal }),
      })
      return compose(prepared)
    },

    async recover(error, { abortSignal } = {}) {
      if (providerOverflow(error) === undefined) return undefined
      return compose(
        await session.recover(toModelError(error), { ...(abortSignal && { signal: abortSignal }) }),
      )
    },
  }
}

function toCompletionModel(model: CompletionModel | LanguageModel): CompletionModel {
  return typeof model === 'object' && 'complete' in model ? model : createAiSdkCompletion(model)
}

function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The application's tools for counting. Descriptions generated per call and schemas of provider tools are left out. */
export async function toolSchemasOf(tools: HostTools): Promise<ToolSchema[]> {
  return Promise.all(
    Object.entries(tools).map(async ([name, { description, inputSchema }]): Promise<ToolSchema> => {
      const schema: unknown = await asSchema(inputSchema).jsonSchema
      const text = typeof description === 'string' ? { description } : {}
      return { type: 'function', function: { name, ...text, parameters: { ...looseOf(schema) } } }
    }),
  )
}

interface Conversation {
  readonly instructions: Instructions | undefined
  readonly system: SystemMessage | undefined
  readonly leading: readonly ModelMessage[]
  readonly body: readonly Unit[]
}

const NO_CONVERSATION: Conversation = {
  instructions: undefined,
  system: undefined,
  leading: [],
  body: [],
}

function readConversation(
  instructions: Instructions | undefined,
  whole: readonly ModelMessage[],
): Conversation {
  const other = whole.findIndex(({ role }) => role !== 'system')
  const leading = whole.slice(0, other === -1 ? whole.length : other)
  const units = toUnits(whole).map(withoutAnswers)
  const system = joinInstructions(instructions, leading)
  return { instructions, system, leading, body: units.slice(leading.length) }
}

function withoutAnswers(unit: Unit): Unit {
  if (unit.models[0]?.role !== 'tool') return unit
  const messages = unit.messages.map(withoutApprovals)
  return messages.every((message, index) => message === unit.messages[index]) ? unit : { ...unit, messages }
}

function wireMessages({ system, body }: Conversation): Message[] {
  return [...(system === undefined ? [] : [system]), ...body.flatMap(({ messages }) => messages)]
}

/**
 * Converts a projection to the AI SDK's messages. A message of the conversation is sent as the application's own
 * object, and an engine's message as the same object as before, so that cached bytes do not change. Adjacent generated
 * results are joined.
 *
 * @param owners The conversation's units by the place of their first message in the transcript.
 * @param before The messages generated for the previous request.
 */
function composeRequest(
  { messages, origins }: Pick<Prepared, 'messages' | 'origins'>,
  owners: ReadonlyMap<number, Unit>,
  before: readonly Unit[],
) {
  const names: CallNames = new Map()
  const ownAt = (index: number): Unit | undefined => {
    const place = wholeAt(origins, index)
    const unit = place === undefined ? undefined : owners.get(place)
    const isWhole = unit?.messages.every((_, at) => wholeAt(origins, index + at) === (place ?? 0) + at)
    return isWhole ? unit : undefined
  }
  const request: ModelMessage[] = []
  const made: Unit[] = []
  const makeOf = (run: readonly Message[]): Unit => {
    const known = before.find((unit) => equalValues(unit.messages, run))
    const unit = known ?? { messages: run, models: toModels(run, names).map(withoutItemIds) }
    made.push(unit)
    return unit
  }
  for (let index = 0; index < messages.length; ) {
    let end = index + 1
    const isResult = (message: Message | undefined) => message?.role === 'tool'
    const own = ownAt(index)
    if (own === undefined && isResult(messages[index]))
      while (isResult(messages[end]) && ownAt(end) === undefined) end++
    const unit = own ?? makeOf(messages.slice(index, end))
    for (const message of unit.messages) rememberCalls(looseOf(message), names)
    request.push(...unit.models)
    index += unit.messages.length
  }
  return { messages: request, made }
}

/**
 * Removes the provider's part ids from a changed message: OpenAI takes such an id for the original part, and refuses
 * one whose reasoning is gone.
 */
function withoutItemIds(message: ModelMessage): ModelMessage {
  const { content } = looseOf(message)
  if (!Array.isArray(content)) return message
  const parts = content.map((part: unknown) => {
    const { providerOptions, ...rest } = looseOf(part)
    if (!isObject(providerOptions)) return part
    const options = Object.entries(providerOptions).map(([provider, own]) => {
      const { itemId: _, ...others } = looseOf(own)
      return [provider, others] as const
    })
    return { ...rest, providerOptions: Object.fromEntries(options) }
  })
  return { ...looseOf(message), content: parts } as unknown as ModelMessage
}

function wholeAt(origins: Prepared['origins'], index: number): number | undefined {
  const origin = origins[index]
  return origin?.from === 'transcript' && origin.whole ? origin.index : undefined
}

function unitOwners(
  units: readonly Unit[],
  transcript: readonly Message[],
  start: number,
): ReadonlyMap<number, Unit> {
  const owners = new Map<number, Unit>()
  let next = start
  for (const unit of units) {
    const from = next
    next += unit.messages.length
    if (unit.messages.every((message, at) => equalValues(message, transcript[from + at])))
      owners.set(from, unit)
  }
  return owners
}

function joinInstructions(
  instructions: Instructions | undefined,
  leading: readonly ModelMessage[],
): SystemMessage | undefined {
  const own = instructions === undefined ? [] : [instructions].flat()
  const texts = [...own, ...leading]
    .map((part) => (typeof part === 'string' ? part : part.content))
    .filter((text): text is string => typeof text === 'string' && text !== '')
  const [only] = texts
  if (only === undefined) return undefined
  return {
    role: 'system',
    content: texts.length === 1 ? only : texts.map((text) => ({ type: 'text', text })),
  }
}

function withNote(
  instructions: Instructions | undefined,
  own: SystemMessage | undefined,
  sent: Message | undefined,
): Instructions | undefined {
  if (sent === undefined || !isInstruction(sent)) return instructions
  const before = own === undefined ? '' : messageText(own)
  const note = messageText(sent).slice(before.length)
  if (note.trim() === '') return instructions
  if (instructions === undefined) return note.trimStart()
  if (typeof instructions === 'string') return instructions + note
  return [...[instructions].flat(), { role: 'system', content: note.trimStart() }]
}
