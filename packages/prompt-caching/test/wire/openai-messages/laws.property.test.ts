import type { CacheWire } from '../../../src/wire/cache-wire.ts'
import { openaiMessagesWire } from '../../../src/wire/openai-messages/openai-messages-wire.ts'
import { describeWireLaws } from './wire-laws.ts'

for (const route of ['native', 'openrouter', 'litellm'] as const)
  describeWireLaws(openaiMessagesWire(route) as CacheWire<never>)
