import { isObject, type Loose, looseOf } from '@palimpsest/core'
import {
  assistantMessage,
  functionCall,
  systemMessage,
  textPart,
  toolMessage,
  userMessage,
} from '../build-message.ts'
import { arrayOf, kindName, nameOf, stringOf, timestampOf, toolArguments } from '../json.ts'
import type { ReadingLog, RecordedItem, SessionReader } from '../recorded-item.ts'

export function createCopilotReader(log: ReadingLog): SessionReader {
  const items: RecordedItem[] = []
  let model: string | undefined
  let startedAt: number | undefined
  return {
    read(value, line) {
      if (!isObject(value) || nameOf(value.type) === undefined)
        return log.reject(line, 'an event without a type')
      const data = looseOf(value.data)
      const about = { kind: 'message' as const, line, timestamp: timestampOf(value.timestamp) }
      startedAt ??= about.timestamp
      if (nameOf(data.parentToolCallId) !== undefined || nameOf(value.agentId) !== undefined)
        return log.skip('sidechain message')
      switch (value.type) {
        case 'session.start':
          model = nameOf(data.selectedModel) ?? model
          return
        case 'session.model_change':
          model = nameOf(data.newModel) ?? model
          return
        case 'system.message':
          return void items.push({ ...about, message: systemMessage('system', textsOf(data.content)) })
        case 'user.message':
          return void items.push({ ...about, message: userMessage(textsOf(data.content), nameOf(value.id)) })
        case 'assistant.message':
          return void items.push({ ...about, message: answerOf(data), model: nameOf(data.model) ?? model })
        case 'tool.execution_complete': {
          const callId = nameOf(data.toolCallId)
          if (callId === undefined) return log.reject(line, 'a tool result without a toolCallId')
          const text =
            stringOf(looseOf(data.result).content) ??
            stringOf(looseOf(data.error).message) ??
            stringOf(data.result) ??
            ''
          const isError = data.success === false
          return void items.push({ ...about, message: toolMessage(callId, [textPart(text)], { isError }) })
        }
        case 'session.compaction_complete': {
          if (data.success === false) return log.skip('compaction that failed')
          const { preCompactionTokens: tokens } = data
          const tokensBefore = typeof tokens === 'number' ? tokens : undefined
          return void items.push({
            kind: 'compaction',
            line,
            summary: nameOf(data.summaryContent),
            tokensBefore,
          })
        }
        default:
          return log.skip(`${kindName(value.type)} event`)
      }
    },
    finish: () => ({ items, model, startedAt }),
  }
}

function textsOf(content: unknown) {
  return typeof content === 'string' && content !== '' ? [textPart(content)] : []
}

function answerOf(data: Loose) {
  const calls = arrayOf(data.toolRequests).map(looseOf)
  const { reasoningText } = data
  return assistantMessage({
    parts: textsOf(data.content),
    calls: calls
      .filter(({ name }) => nameOf(name) !== undefined)
      .map(({ toolCallId, name, arguments: args }) =>
        functionCall(nameOf(toolCallId) ?? '', String(name), toolArguments(args)),
      ),
    reasoning: nameOf(reasoningText) === undefined ? [] : [{ text: reasoningText }],
    provider: 'copilot',
    id: nameOf(data.messageId),
  })
}
