import type { ToolSchema } from '@palimpsest/core'
import { deepFreeze } from '../../../../core/test/arbitraries.ts'
import type { MessagesRequest } from '../../../src/wire/openai-messages/openai-messages-wire.ts'

export const tool: ToolSchema = { type: 'function', function: { name: 'ls', parameters: { type: 'object' } } }
export const call = (id: string) => ({
  id,
  type: 'function' as const,
  function: { name: 'ls', arguments: '{}' },
})
/** A short conversation with parallel calls, one of which found nothing. */
export const request: MessagesRequest = deepFreeze({
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'List the files.' },
    { role: 'assistant', content: '', tool_calls: [call('a'), call('b')] },
    { role: 'tool', tool_call_id: 'a', content: 'x.ts' },
    { role: 'tool', tool_call_id: 'b', content: '' },
    { role: 'assistant', content: 'Only x.ts.' },
  ],
  tools: [tool],
})
