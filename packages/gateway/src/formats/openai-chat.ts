import {
  type AssistantMessage,
  checkMessage,
  isObject,
  type Loose,
  looseOf,
  type Message,
  type ToolCall,
  type ToolSchema,
} from '@palimpsest/core'
import { addCallPiece, callFields, type StreamedCall } from '@palimpsest/provider-utils'
import { BrokenEvent } from '../http/gateway-fault.ts'
import { isNestedDeep, parseJson } from '../parse-json.ts'
import { hasMarks } from '../recognition/cache-marks.ts'
import { nameInSession, rootOf } from '../recognition/prefix-hashes.ts'
import { type Additions, createAdditions, writeOpenAIFault } from './openai.ts'
import {
  type ChatRequest,
  DONE,
  parseEvent,
  positive,
  ROUND_BREAK,
  type StreamedAnswer,
  StreamedError,
  type WholeAnswer,
  type WireFormat,
} from './wire-format.ts'

function readChatRequest(body: Loose, headers: Headers, additions: Additions): ChatRequest {
  const tools = (Array.isArray(body.tools) ? body.tools : []).filter(isObject)
  const model = typeof body.model === 'string' ? body.model : ''
  const isSingle = body.n === undefined || body.n === null || body.n === 1
  const isStream = body.stream === true
  const unmanaged = whyUnmanaged(body)
  const messages = unmanaged === undefined ? (body.messages as Message[]) : []
  const conversation = openCodeName(headers, messages, tools.length > 0)
  const isAside = conversation !== undefined && tools.length === 0
  const takesTools = isSingle && !isAside && body.tool_choice !== 'none' && body.functions === undefined
  return {
    model,
    conversation,
    messages,
    unmanaged,
    isStream,
    tools: tools.filter(isFunctionTool),
    toolNames: new Set(tools.map(toolName)),
    get mayOffer() {
      return takesTools && additions.mayAdd('tools', model)
    },
    compacts: undefined,
    isSingle,
    isMarked: unmanaged === undefined && hasMarks(body),
    takesMarks: true,
    answerTokens: positive(body.max_completion_tokens) ?? positive(body.max_tokens) ?? 0,
    write: (messages, offered, { origins, isLast }) => ({
      ...body,
      messages: messages.map((message, index) =>
        origins[index]?.from === 'summary' ? asText(message) : message,
      ),
      ...(offered.length > 0 &&
        !isLast && { tools: [...(Array.isArray(body.tools) ? body.tools : []), ...offered] }),
      ...(isStream &&
        additions.mayAdd('usage', model) && {
          stream_options: { ...looseOf(body.stream_options), include_usage: true },
        }),
    }),
    isRefusedAddition: (sent, refusal, status) =>
      additions.learn({ asked: body, sent, model, status, refusal }),
    readAnswer: readWholeAnswer,
    readStream: (own) => {
      const wantsUsage = looseOf(body.stream_options).include_usage === true
      return createStreamedAnswer({ own, isSingle, wantsUsage })
    },
  }
}

function asText({ providerData: _, ...message }: Message): Loose {
  return message
}

/**
 * opencode's name of its session; undefined for another client. A title uses the same session under another system
 * prompt.
 */
function openCodeName(headers: Headers, messages: readonly Message[], hasTools: boolean): string | undefined {
  const isOpenCode = headers.get('user-agent')?.startsWith('opencode/') === true
  const session = isOpenCode ? headers.get('x-session-id') : null
  if (session === null || messages.length === 0) return undefined
  return nameInSession(session, [rootOf(messages.slice(0, 1)), hasTools])
}

/** Broken pairs of calls and results can be repaired; a value that is not a message cannot. */
function whyUnmanaged(body: Loose): string | undefined {
  const { messages } = body
  if (!Array.isArray(messages) || messages.length === 0) return 'messages is not a list of messages'
  if (isNestedDeep(body)) return 'the body is nested too deep'
  for (const [index, message] of messages.entries()) {
    const fault = checkMessage(message).find(({ code }) => code !== 'INVALID_ARGUMENTS')
    if (fault !== undefined) return `messages[${index}]: ${fault.message}`
  }
  return undefined
}

function isFunctionTool(tool: Loose): tool is Loose & ToolSchema {
  return tool.type === 'function' && typeof looseOf(tool.function).name === 'string'
}

function toolName(tool: Loose): string {
  const { name } = looseOf(tool.function ?? tool.custom)
  return typeof name === 'string' ? name : ''
}

function readWholeAnswer(text: string): WholeAnswer | undefined {
  const completion = looseOf(parseJson(text))
  const [first, ...others] = Array.isArray(completion.choices) ? completion.choices : []
  const { message } = looseOf(first)
  if (!isObject(message) || isNestedDeep(completion)) return undefined
  return {
    message: toRequestMessage(message),
    usage: isObject(completion.usage) ? completion.usage : undefined,
    write({ content, tool_calls: calls }) {
      const { tool_calls: _, ...rest } = message
      const shown: Loose = { ...rest, content, ...(calls !== undefined && { tool_calls: calls }) }
      return JSON.stringify({ ...completion, choices: [{ ...looseOf(first), message: shown }, ...others] })
    },
  }
}

export function createOpenAIChat(): WireFormat {
  const additions = createAdditions()
  return {
    name: 'openai-chat',
    path: '/chat/completions',
    readRequest: (body, headers) => readChatRequest(body, headers, additions),
    isError: ({ error }) => error !== undefined,
    writeFault: writeOpenAIFault,
    eventName: () => undefined,
  }
}

/** Fields of answers that requests refuse or that are meaningless there. */
const ANSWER_ONLY = new Set([
  'role',
  'content',
  'tool_calls',
  'function_call',
  'annotations',
  'audio',
  'index',
])

/**
 * An answer as a message of the next request. Unknown fields stay, because some providers require them back, such as
 * reasoning.
 */
function toRequestMessage(answer: Loose): AssistantMessage {
  const rest = Object.entries(answer).filter(
    ([name, value]) =>
      !ANSWER_ONLY.has(name) && value !== null && !(Array.isArray(value) && value.length === 0),
  )
  const calls = Array.isArray(answer.tool_calls) ? answer.tool_calls.filter(isObject).map(toCall) : []
  return {
    ...Object.fromEntries(rest),
    role: 'assistant',
    content: contentOf(answer, calls.length > 0) ?? null,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function contentOf({ content }: Loose, hasCalls: boolean): AssistantMessage['content'] {
  if (typeof content === 'string' || Array.isArray(content)) return content as AssistantMessage['content']
  return hasCalls ? null : ''
}

function toCall({ index: _, ...call }: Loose): ToolCall {
  const id = typeof call.id === 'string' ? call.id : ''
  if (call.type === 'custom') {
    const { name, input } = looseOf(call.custom)
    return { ...call, id, type: 'custom', custom: { name: String(name), input: String(input ?? '') } }
  }
  const { name, arguments: text } = looseOf(call.function)
  const fields = {
    name: String(name),
    arguments: typeof text === 'string' ? text : JSON.stringify(text ?? {}),
  }
  return { ...call, id, type: 'function', function: { ...looseOf(call.function), ...fields } }
}

interface StreamInput {
  readonly own: ReadonlySet<string>
  readonly isSingle: boolean
  readonly wantsUsage: boolean
}

interface StreamRound {
  readonly calls: ReturnType<typeof createToolCallStream>
  text: string
  extras: Loose
  envelope?: Loose
  finish?: Loose
  usage?: Loose
  usageChunk?: Loose
  isFinished: boolean
  isOver: boolean
}

function createStreamedAnswer({ own, isSingle, wantsUsage }: StreamInput): StreamedAnswer {
  const begin = (): StreamRound => {
    return { calls: createToolCallStream(own), text: '', extras: {}, isFinished: false, isOver: false }
  }
  let round = begin()
  let before: { readonly id: unknown; readonly created: unknown; readonly text: string } | undefined

  const framed = ({ usage, ...chunk }: Loose): string =>
    JSON.stringify({
      ...chunk,
      ...(usage !== undefined && (wantsUsage || usage !== null) && { usage }),
      ...(before !== undefined && { id: before.id, created: before.created }),
    })

  const takeDelta = (delta: Loose): void => {
    round.text += textOf(delta.content)
    for (const [name, value] of Object.entries(delta))
      if (!ANSWER_ONLY.has(name) && value !== null && value !== undefined)
        round.extras = { ...round.extras, [name]: joined(round.extras[name], value) }
  }

  const visibleDelta = (delta: Loose): Loose | undefined => {
    const { tool_calls: pieces, ...rest } = delta
    const shown = Array.isArray(pieces) ? round.calls.take(pieces) : []
    const isLeading = round.text === ''
    takeDelta(delta)
    const kept = before === undefined ? rest : continued(rest, isLeading, before.text)
    const visible = { ...kept, ...(shown.length > 0 && { tool_calls: shown }) }
    return Object.keys(visible).length === 0 ? undefined : visible
  }

  const takeChoice = (chunk: Loose, choice: Loose): string[] => {
    const { finish_reason: reason } = choice
    const isLast = reason !== null && reason !== undefined
    const delta = looseOf(choice.delta)
    if (!isSingle) {
      round.isFinished ||= isLast
      // The first choice represents all.
      if (choice.index === 0) takeDelta(delta)
      return [framed(chunk)]
    }
    const visible = visibleDelta(delta)
    if (isLast && round.calls.calls.some((call) => callFields(call).name === ''))
      throw new BrokenEvent('a call has no name')
    round.isFinished ||= isLast
    if (isLast) round.finish = { ...chunk, choices: [{ ...choice, delta: {} }] }
    if (visible === undefined) return []
    const { usage: _, ...plain } = chunk
    const carrier = isLast ? plain : chunk
    return [framed({ ...carrier, choices: [{ ...choice, delta: visible, finish_reason: null }] })]
  }

  return {
    beginRound() {
      const { id, created } = before ?? round.envelope ?? {}
      const text = [before?.text ?? '', round.text].filter(Boolean).join(ROUND_BREAK)
      before = { id, created, text }
      round = begin()
    },
    take(event) {
      round.isOver = event === DONE
      const chunk = parseEvent(event)
      if (chunk === undefined) return []
      const { choices, usage, error } = chunk
      if (error !== undefined && error !== null) throw new StreamedError(JSON.stringify(chunk))
      if (isObject(usage)) round.usage = usage
      if (!Array.isArray(choices)) return [framed(chunk)]
      if (choices[0] !== undefined) {
        round.envelope ??= chunk
        return takeChoice(chunk, looseOf(choices[0]))
      }
      if (!isObject(usage)) return before === undefined ? [framed(chunk)] : []
      round.usageChunk = chunk
      return []
    },
    get message() {
      const { text, extras, calls } = round
      return toRequestMessage({ ...extras, content: text === '' ? null : text, tool_calls: calls.calls })
    },
    get usage() {
      return round.usage
    },
    get isFinished() {
      return round.isFinished
    },
    get isOver() {
      return round.isOver
    },
    end() {
      const { calls, finish, envelope, usage, usageChunk } = round
      const reported = isObject(finish?.usage) ? { ...finish, usage } : finish
      const chunks = [
        ...heldCalls(calls.flush(), finish ?? envelope ?? {}),
        ...(reported === undefined ? [] : [reported]),
        ...(wantsUsage && usageChunk !== undefined ? [usageChunk] : []),
      ]
      return [...chunks.map(framed), DONE]
    },
  }
}

function heldCalls(held: readonly Loose[], { usage: _, ...plain }: Loose): Loose[] {
  if (held.length === 0) return []
  return [{ ...plain, choices: [{ index: 0, delta: { tool_calls: held }, finish_reason: null }] }]
}

/** The client already has the role, and an empty text is meaningless. */
function continued(delta: Loose, isLeading: boolean, textBefore: string): Loose {
  const { role: _, content, ...rest } = delta
  if (content === undefined || content === null || content === '') return rest
  const isParted = isLeading && textBefore !== '' && typeof content === 'string'
  return { ...rest, content: isParted ? `${ROUND_BREAK}${content}` : content }
}

function joined(before: unknown, value: unknown): unknown {
  if (typeof before === 'string' && typeof value === 'string') return before + value
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value]
  return value
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

/**
 * Assembles tool calls, and passes on the pieces of the client's calls.
 *
 * @param own Names of the engine's tools.
 */
export function createToolCallStream(own: ReadonlySet<string>) {
  const streamed: StreamedCall[] = []
  const shown = new Map<StreamedCall, number>()

  const show = (one: StreamedCall): Loose => {
    const index = shown.size
    shown.set(one, index)
    return { ...one.call, index }
  }

  return {
    take: (pieces: readonly unknown[]): Loose[] =>
      pieces.filter(isObject).flatMap((piece) => {
        const one = addCallPiece(streamed, piece)
        const index = shown.get(one)
        if (index !== undefined) return [{ ...piece, index }]
        return isClients(one.call, own) ? [show(one)] : []
      }),
    /** Returns the calls that were held back because their names could have continued. */
    flush: (): Loose[] =>
      streamed.filter((one) => !shown.has(one) && !own.has(callFields(one.call).name)).map(show),
    get calls(): readonly Loose[] {
      return streamed.map(({ call }) => call)
    },
  }
}

/** A name may arrive in pieces, so this is true only once it cannot become an engine tool's. */
function isClients(call: Loose, own: ReadonlySet<string>): boolean {
  const { name, input } = callFields(call)
  if (input !== '' && name !== '') return !own.has(name)
  return ![...own].some((other) => other.startsWith(name))
}
