import type { WireFormat } from '../wire-format.ts'
import { createAdditions } from './additions.ts'
import { readChatRequest } from './chat-request.ts'
import { readRefusal, refusalEvent, writeFault } from './errors.ts'
import { readWindows } from './model-list.ts'

/** OpenAI's chat completions, as OpenAI and the many servers that speak it have them. */
export function createOpenAIChat(): WireFormat {
  const additions = createAdditions()
  return {
    path: '/chat/completions',
    readRequest: (text) => readChatRequest(text, additions),
    readRefusal,
    readWindows,
    refusalEvent,
    writeFault,
  }
}
