import type { Caching } from '../detect/find-caching.ts'
import { anthropicWire } from './anthropic/anthropic-wire.ts'
import { geminiWire } from './gemini/gemini-wire.ts'
import { openaiWire } from './openai/openai-wire.ts'
import { openaiMessagesWire } from './openai-messages/openai-messages-wire.ts'

const WIRES = {
  anthropic: anthropicWire,
  'openai-messages-native': openaiMessagesWire('native'),
  openrouter: openaiMessagesWire('openrouter'),
  litellm: openaiMessagesWire('litellm'),
  openai: openaiWire,
  gemini: geminiWire,
  none: undefined,
} as const

/** The wire format that `findCaching` names; undefined for `none`, where no markers are written. */
export function cacheWireOf<Name extends Caching['wire']>(name: Name): (typeof WIRES)[Name] {
  return WIRES[name]
}
