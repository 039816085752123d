import { openaiWire } from '../../../src/wire/openai/openai-wire.ts'
import type { WireFormat } from '../../../src/wire/wire-format.ts'
import { describeWireLaws } from '../openai-messages/wire-laws.ts'

describeWireLaws(openaiWire as WireFormat<never>)
