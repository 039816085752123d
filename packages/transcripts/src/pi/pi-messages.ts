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
import { assistantMessage, systemMessage, textPart, toolMessage, userMessage } from '../build-message.ts'
import { arrayOf, nameOf, parseJson, stringOf } from '../json.ts'
import { bashExecutionText, fromPiParts, piAnswer, piParts } from './pi-parts.ts'

/**
 * A message of pi's agent as a message: what pi and OpenClaw hold in memory and record. Undefined for what the model is not
 * sent (a command that the user kept from it), for an unknown role, and for a tool result without its call's id.
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

/** The prompt as pi sends it: the text, then its sections in their order. */
function systemText(content: unknown, sections: unknown): string {
  const texts = piParts(content).map((part) => (part.type === 'text' ? part.text : ''))
  return [...texts, ...Object.values(looseOf(sections))].filter(nameOf).join('\n\n')
}

export function branchSummary(summary: unknown) {
  return textPart(`Summary of a branch of this conversation that was left:\n\n${stringOf(summary) ?? ''}`)
}

const PROVIDER = 'pi'
/** The facts of an answer of pi's besides its content, for one that no model gave. */
const MADE = {
  ...{ api: 'openai-completions', provider: PROVIDER, model: 'palimpsest', stopReason: 'stop' },
  usage: {
    ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
}

/**
 * A message as one of pi's agent: a summary, or a message that is shown in another form.
 *
 * @param own The message of pi that it is made of, or the first one that it stands for. An answer and a result keep everything
 * of a message of their role but the content; anything else takes its time.
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
