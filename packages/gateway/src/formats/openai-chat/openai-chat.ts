import { createAdditions } from '../openai/additions.ts'
import { openAIRefusalBody, readOpenAIRefusal, writeOpenAIFault } from '../openai/openai-errors.ts'
import type { WireFormat } from '../wire-format.ts'
import { readChatRequest } from './chat-request.ts'

/** OpenAI's chat completions, as OpenAI and the many servers that speak it have them. */
export function createOpenAIChat(): WireFormat {
  const additions = createAdditions()
  return {
    name: 'openai-chat',
    path: '/chat/completions',
    list: 'messages',
    readRequest: (body, headers) => readChatRequest(body, headers, additions),
    readRefusal: readOpenAIRefusal,
    refusalEvent: openAIRefusalBody,
    writeFault: writeOpenAIFault,
    eventName: () => undefined,
  }
}
