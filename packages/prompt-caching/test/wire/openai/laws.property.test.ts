import type { CacheWire } from '../../../src/wire/cache-wire.ts'
import { openaiWire } from '../../../src/wire/openai/openai-wire.ts'
import { describeWireLaws } from '../openai-messages/wire-laws.ts'

describeWireLaws(openaiWire as CacheWire<never>)
