import {
  type CompletionModel,
  type ContextSession,
  createContextSession,
  declaredTools,
  equalValues,
  isInstruction,
  looseOf,
  type Message,
  type Prepared,
  type SystemMessage,
  type ToolSchema,
} from '@palimpsest/core'
import { asSchema, type Instructions, type LanguageModel, type ModelMessage } from 'ai'
import { createAiSdkCompletion } from '../completion/create-ai-sdk-completion.ts'
import { providerOverflow } from '../errors/provider-overflow.ts'
import { toModelError } from '../errors/to-model-error.ts'
import { toUnits, type Unit } from '../messages/from-model-messages.ts'
import { withoutApprovals } from '../messages/tool-messages.ts'
import { composeRequest, unitOwners } from './compose-request.ts'
import type { ContextEngineOptions, HostTools, PrepareStepOptions } from './context-engine-types.ts'
import { joinInstructions, withNote } from './join-instructions.ts'

/** A request in the AI SDK's messages. */
export interface ModelRequest {
  readonly instructions: Instructions | undefined
  readonly messages: readonly ModelMessage[]
}

export interface ModelRequestOptions extends PrepareStepOptions {
  /** The objects of the request before, where they are in this one too, have not changed since. Default false. */
  readonly sameObjects?: boolean
  /** The application's tools in this request. Default: those that the conversation was made with. */
  readonly tools?: readonly ToolSchema[]
}

/** One conversation in the AI SDK's messages with one engine, whatever framework it takes place in. */
export interface ModelConversation {
  readonly session: ContextSession
  /**
   * The engine's tools, but those without a name and those whose name is taken. None of an engine that fails to say them,
   * which the session tells of.
   */
  toolSchemas(taken: object): readonly ToolSchema[]
  /**
   * Takes the whole conversation and returns what the model is sent. A message that is sent as it is stays the very
   * object that it was; a note of the engine's is appended to the instructions.
   */
  prepare(whole: ModelRequest, options?: ModelRequestOptions): Promise<ModelRequest>
  /**
   * The smaller request for the one that a provider refused as too long. Undefined for every other error.
   *
   * @throws ContextOverflowError as `ContextSession.recover`.
   */
  recover(error: unknown, options?: PrepareStepOptions): Promise<ModelRequest | undefined>
}

/**
 * Starts a conversation for `contextEngine`, and for packages of other frameworks that speak the AI SDK's messages.
 *
 * @throws InvalidEngineError, InvalidOptionError as `createContextSession`.
 */
export function createModelConversation<Options = Record<string, unknown>>(
  input: ContextEngineOptions<Options>,
): ModelConversation {
  const { model, tools = {}, ...options } = input
  const session = createContextSession<Options>({
    ...options,
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
      const { abortSignal, focusTopic, sameObjects = false, tools = await ownSchemas() } = options
      const known = sameObjects ? conversation.units : []
      conversation = readConversation(instructions, messages, known)
      const prepared = await session.prepare(wireMessages(conversation), {
        tools,
        ...(focusTopic !== undefined && { focusTopic }),
        ...(abortSignal !== undefined && { signal: abortSignal }),
      })
      conversation = settled(conversation, session.transcript)
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

/**
 * The application's tools as they are counted. A description that is written for each call anew is left out, and so is
 * the schema of a tool of the provider's.
 */
export async function toolSchemasOf(tools: HostTools): Promise<ToolSchema[]> {
  return Promise.all(
    Object.entries(tools).map(async ([name, { description, inputSchema }]): Promise<ToolSchema> => {
      const schema: unknown = await asSchema(inputSchema).jsonSchema
      const text = typeof description === 'string' ? { description } : {}
      return { type: 'function', function: { name, ...text, parameters: { ...looseOf(schema) } } }
    }),
  )
}

/** The conversation at a step, in both shapes. */
interface Conversation {
  readonly instructions: Instructions | undefined
  readonly system: SystemMessage | undefined
  /** System messages at the beginning of the messages. They stay there. */
  readonly leading: readonly ModelMessage[]
  readonly units: readonly Unit[]
  /** The units behind the leading ones. */
  readonly body: readonly Unit[]
}

/** Before the first step. */
const NO_CONVERSATION: Conversation = {
  instructions: undefined,
  system: undefined,
  leading: [],
  units: [],
  body: [],
}

/** @param known Units of the step before, if what they were made of cannot have changed since. */
export function readConversation(
  instructions: Instructions | undefined,
  whole: readonly ModelMessage[],
  known: readonly Unit[],
): Conversation {
  const other = whole.findIndex(({ role }) => role !== 'system')
  const leading = whole.slice(0, other === -1 ? whole.length : other)
  const units = toUnits(whole, known).map(withoutAnswers)
  const system = joinInstructions(instructions, leading)
  return { instructions, system, leading, units, body: units.slice(leading.length) }
}

/** The user's answer to a tool's request for approval is sent as it is. An engine does not see it. */
function withoutAnswers(unit: Unit): Unit {
  if (unit.models[0]?.role !== 'tool') return unit
  const messages = unit.messages.map(withoutApprovals)
  return messages.every((message, index) => message === unit.messages[index]) ? unit : { ...unit, messages }
}

/** The conversation as a session gets it: one system prompt, then everything that was said. */
export function wireMessages({ system, body }: Conversation): Message[] {
  return [...(system === undefined ? [] : [system]), ...body.flatMap(({ messages }) => messages)]
}

/**
 * The same conversation with the messages that a session keeps of it. Their equality is seen at a glance from then on,
 * so that the later steps of a loop do not read the whole history again.
 */
export function settled(conversation: Conversation, transcript: readonly Message[]): Conversation {
  let next = conversation.system === undefined ? 0 : 1
  const body = conversation.body.map((unit) => {
    const from = next
    next += unit.messages.length
    if (unit.messages.every((message, at) => message === transcript[from + at])) return unit
    const isKept = unit.messages.every((message, at) => equalValues(message, transcript[from + at]))
    return isKept ? { models: unit.models, messages: transcript.slice(from, next) } : unit
  })
  return {
    ...conversation,
    body,
    units: [...conversation.units.slice(0, conversation.leading.length), ...body],
  }
}
