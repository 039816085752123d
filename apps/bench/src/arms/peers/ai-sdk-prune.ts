import { countMessages, type Message, messageText, toolCallName, toolCallsOf } from '@palimpsest/core'
import { type AssistantModelMessage, type ModelMessage, pruneMessages, type ToolModelMessage } from 'ai'
import manifest from 'ai/package.json' with { type: 'json' }
import { functionCall } from '../../workload/conversation.ts'
import { tailWithin } from '../bounds.ts'
import { callArguments, packageLabel, peerArm, rememberNames } from './peer-arm.ts'

/** The AI SDK's pruning as its guide has it. It has no budget: what is still above it is cut from the front of the request. */
export const aiSdkPrune = peerArm(
  {
    name: 'ai-sdk prune',
    description: `pruneMessages of ${packageLabel(manifest)} above the budget: reasoning all, toolCalls before-last-3-messages; then the tail that fits`,
  },
  ({ budget, tokens }) => {
    let state: readonly Message[] = []
    let seen = 0
    return (transcript) => {
      state = [...state, ...transcript.slice(seen)]
      seen = transcript.length
      const before = state
      if (countMessages(tokens, state) > budget) {
        const { messages, read } = toModelMessages(state)
        state = read(
          pruneMessages({
            messages,
            reasoning: 'all',
            toolCalls: 'before-last-3-messages',
            emptyMessages: 'remove',
          }),
        )
      }
      // A message may also have lost some of its parts: what was not changed is the message that it was.
      const compacted =
        state.length < before.length || state.some((message, index) => message !== before[index])
      return { messages: tailWithin(state, budget, tokens), compacted }
    }
  },
)

type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number]
type ToolPart = ToolModelMessage['content'][number]

/** A conversation as the AI SDK holds it, and the way back. */
export function toModelMessages(transcript: readonly Message[]) {
  const names = new Map<string, string>()
  const sources = new Map<ModelMessage | AssistantPart | ToolPart, Message>()
  const messages: ModelMessage[] = []

  for (const source of transcript) {
    const text = messageText(source)
    if (source.role === 'tool') {
      const result: ToolPart = {
        type: 'tool-result',
        toolCallId: source.tool_call_id,
        toolName: names.get(source.tool_call_id) ?? '',
        output: { type: 'text', value: text },
      }
      sources.set(result, source)
      const last = messages.at(-1)
      if (last?.role === 'tool') last.content.push(result)
      else messages.push({ role: 'tool', content: [result] })
      continue
    }
    if (source.role === 'assistant') {
      rememberNames(names, toolCallsOf(source))
      const content = assistantParts(source)
      for (const part of content) sources.set(part, source)
      messages.push({ role: 'assistant', content })
      continue
    }
    const message: ModelMessage = { role: source.role === 'user' ? 'user' : 'system', content: text }
    sources.set(message, source)
    messages.push(message)
  }
  const sourceOf = (key: ModelMessage | AssistantPart | ToolPart): Message[] => {
    const source = sources.get(key)
    return source === undefined ? [] : [source]
  }
  return {
    messages,
    /** The messages that are left, in the wire shape: what was not changed is the message that it was. */
    read: (left: readonly ModelMessage[]): Message[] =>
      left.flatMap((message) => {
        if (message.role === 'tool') return message.content.flatMap(sourceOf)
        if (message.role !== 'assistant' || typeof message.content === 'string') return sourceOf(message)
        const { content } = message
        return content
          .slice(0, 1)
          .flatMap(sourceOf)
          .map((source) => withParts(source, content))
      }),
  }
}

function assistantParts(message: Message): AssistantPart[] {
  const text = messageText(message)
  const calls = toolCallsOf(message).map(
    (call): AssistantPart => ({
      type: 'tool-call',
      toolCallId: call.id,
      toolName: toolCallName(call),
      input: callArguments(call),
    }),
  )
  return text === '' ? calls : [{ type: 'text', text }, ...calls]
}

function withParts(source: Message, parts: readonly AssistantPart[]): Message {
  if (parts.length === assistantParts(source).length) return source
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call' ? [functionCall(part.toolCallId, part.toolName, part.input)] : [],
  )
  const content = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }
}
