import { openaiMessagesWire } from '../../../src/wire/openai-messages/openai-messages-wire.ts'
import type { WireFormat } from '../../../src/wire/wire-format.ts'
import { describeWireLaws } from './wire-laws.ts'

for (const route of ['native', 'openrouter', 'litellm'] as const)
  describeWireLaws(openaiMessagesWire(route) as WireFormat<never>)
