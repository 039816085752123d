import {
  type ContentPart,
  contentParts,
  isObject,
  type Loose,
  looseOf,
  type Message,
  type ToolCall,
  toolCallsOf,
} from '@palimpsest/core'
import {
  type AnswerBlocks,
  assistantMessage,
  functionCall,
  imagePart,
  recordedParts,
  systemMessage,
  textPart,
  toolMessage,
  userMessage,
} from '../build-message.ts'
import { arrayOf, nameOf, parseJson, stringOf, toolArguments } from '../json.ts'

/**
 * Converts a message of pi's agent, as pi and OpenClaw hold and record it. Undefined for a message that the model does
 * not get (a private command of the user), an unknown role, and a tool result without a call id.
 *
 * @param id The id of the session's entry. Messages in memory have none.
 */
export function fromPiMessage(message: object, id?: string): Message | undefined {
  const { role, content, toolCallId, isError, provider, summary, ...rest } = message as Loose
  switch (role) {
    case 'user':
    case 'custom':
    case 'hookMessage':
      return userMessage(piParts(content), id)
    case 'system':
      return systemMessage('system', [textPart(systemText(content, rest.sections))], id)
    case 'assistant': {
      const owner = nameOf(provider) ?? PROVIDER
      return assistantMessage({ ...piAnswer(content, owner), provider: owner, id })
    }
    case 'toolResult':
      if (typeof toolCallId !== 'string') return undefined
      return toolMessage(toolCallId, piParts(content), { id, isError: isError === true })
    case 'bashExecution':
      return rest.excludeFromContext === true
        ? undefined
        : userMessage([textPart(bashExecutionText(rest))], id)
    case 'branchSummary':
      return userMessage([branchSummary(summary)], id)
    case 'compactionSummary':
      return userMessage([textPart(`Summary of the conversation before:\n\n${stringOf(summary) ?? ''}`)], id)
    default:
      return undefined
  }
}

function systemText(content: unknown, sections: unknown): string {
  const texts = piParts(content).map((part) => (part.type === 'text' ? part.text : ''))
  return [...texts, ...Object.values(looseOf(sections))].filter(nameOf).join('\n\n')
}

export function branchSummary(summary: unknown) {
  return textPart(`Summary of a branch of this conversation that was left:\n\n${stringOf(summary) ?? ''}`)
}

const PROVIDER = 'pi'
const MADE = {
  ...{ api: 'openai-completions', provider: PROVIDER, model: 'palimpsest', stopReason: 'stop' },
  usage: {
    ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
}

/**
 * Converts a message to pi's: a summary, or another form of a message.
 *
 * @param own The pi message that it is made from, or the first one that it replaces. An answer or result keeps all its
 * fields except the content if the roles match; other messages keep only the time.
 */
export function toPiMessage(message: Message, own: object): Loose {
  const { timestamp = 0, ...known } = own as Loose
  const { role } = message
  if (role === 'tool') {
    const { isError } = looseOf(message.providerData?.transcript)
    const result = { toolCallId: message.tool_call_id, toolName: '', isError: isError === true }
    const kept = known.role === 'toolResult' ? known : {}
    return { role: 'toolResult', ...result, ...kept, content: fromPiParts(partsOf(message)), timestamp }
  }
  if (role !== 'assistant') return { role: 'user', content: fromPiParts(partsOf(message)), timestamp }
  const kept = known.role === 'assistant' ? known : { role, ...MADE }
  const provider = nameOf(kept.provider) ?? PROVIDER
  return {
    ...kept,
    content: [
      ...arrayOf(looseOf(message.providerData?.[provider]).reasoning),
      ...fromPiParts(partsOf(message), provider),
      ...toolCallsOf(message).map((call) => fromCall(call, provider)),
    ],
    timestamp,
  }
}

const partsOf = (message: Message) => contentParts(message) as readonly ContentPart[]

function fromCall(call: ToolCall, provider: string): Loose {
  const { name, arguments: text } =
    call.type === 'function' ? call.function : { name: call.type, arguments: '{}' }
  const parsed = parseJson(text)
  const signature = nameOf(looseOf(call.providerData?.[provider]).thoughtSignature)
  return {
    ...{ type: 'toolCall', id: call.id, name, arguments: isObject(parsed) ? parsed : {} },
    ...(signature !== undefined && { thoughtSignature: signature }),
  }
}

export function piParts(content: unknown, provider = 'pi'): ContentPart[] {
  return recordedParts(content, (block) => {
    if (block.type === 'image' && typeof block.data === 'string') {
      return imagePart(nameOf(block.mimeType) ?? 'image/png', block.data)
    }
    if (block.type !== 'text' || typeof block.text !== 'string') return undefined
    const signature = nameOf(block.textSignature)
    if (signature === undefined) return textPart(block.text)
    return { ...textPart(block.text), providerData: { [provider]: { textSignature: signature } } }
  })
}

const DATA_URL = /^data:([^;,]*);base64,(.*)$/s

export function fromPiParts(parts: readonly ContentPart[], provider = 'pi'): unknown[] {
  return parts.map((part) => {
    const { type, text, image_url: image, providerData } = part as unknown as Loose
    if (type === 'text') {
      const signature = nameOf(looseOf(looseOf(providerData)[provider]).textSignature)
      return { type, text, ...(signature !== undefined && { textSignature: signature }) }
    }
    if (type !== 'image_url') return part
    const url = stringOf(looseOf(image).url) ?? ''
    const [, mimeType, data] = DATA_URL.exec(url) ?? []
    return data === undefined ? { type: 'text', text: `[image: ${url}]` } : { type: 'image', data, mimeType }
  })
}

export function piAnswer(content: unknown, provider: string): AnswerBlocks {
  if (!Array.isArray(content)) return { parts: piParts(content, provider), calls: [], reasoning: [] }
  const blocks = arrayOf(content)
  const reasoning = blocks.filter(isObject).filter(({ type }) => type === 'thinking')
  const calls = blocks.filter(isToolCall)
  const spoken = blocks.filter(
    (block) => !isObject(block) || (block.type !== 'thinking' && !isToolCall(block)),
  )
  return { parts: piParts(spoken, provider), calls: calls.map((call) => toCall(call, provider)), reasoning }
}

function isToolCall(block: unknown): block is Loose {
  return isObject(block) && block.type === 'toolCall' && nameOf(block.name) !== undefined
}

function toCall(block: Loose, provider: string): ToolCall {
  const signature = nameOf(block.thoughtSignature)
  return functionCall(
    nameOf(block.id) ?? '',
    nameOf(block.name) ?? '',
    toolArguments(block.arguments),
    signature === undefined ? undefined : { [provider]: { thoughtSignature: signature } },
  )
}

export function bashExecutionText(message: Loose): string {
  const lines = [`The user ran a command: ${stringOf(message.command) ?? ''}`]
  const output = nameOf(message.output)
  if (output !== undefined) lines.push(output)
  if (message.cancelled === true) lines.push('[cancelled]')
  else if (typeof message.exitCode === 'number' && message.exitCode !== 0) {
    lines.push(`[exit code ${message.exitCode}]`)
  }
  return lines.join('\n')
}
