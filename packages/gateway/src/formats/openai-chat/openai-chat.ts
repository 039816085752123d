import { createBodyMemory } from '../body-memory.ts'
import { createAdditions } from '../openai/additions.ts'
import { openAIRefusalBody, readOpenAIRefusal, writeOpenAIFault } from '../openai/openai-errors.ts'
import type { WireFormat } from '../wire-format.ts'
import { readChatRequest } from './chat-request.ts'

/** OpenAI's chat completions, as OpenAI and the many servers that speak it have them. */
export function createOpenAIChat(): WireFormat {
  const additions = createAdditions()
  const memory = createBodyMemory()
  return {
    name: 'openai-chat',
    path: '/chat/completions',
    readRequest: (bytes, headers) => readChatRequest(bytes, headers, additions, memory),
    readRefusal: readOpenAIRefusal,
    refusalEvent: openAIRefusalBody,
    writeFault: writeOpenAIFault,
    eventName: () => undefined,
  }
}
