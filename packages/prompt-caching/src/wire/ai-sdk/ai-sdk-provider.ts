import { type CacheTtl, isObject, looseOf } from '@palimpsest/core'
import { isLongTtl } from '../fit-anchors.ts'
import { hasText } from '../wrapped-content.ts'
import type { AiSdkHolder, AiSdkMessage } from './ai-sdk-request.ts'
import { optionsOf } from './markers.ts'

/** The provider package whose options carry the markers: `@ai-sdk/anthropic` (its Vertex edition too), and so on. */
export type AiSdkProvider = 'anthropic' | 'openrouter' | 'bedrock'

interface ProviderRules {
  /** Name of the marker in the provider's options. */
  readonly marker: string
  readonly type: string
  /** Whether answers of the model are marked. OpenRouter's package has no parts in them that could be. */
  readonly marksAnswers: boolean
}

/**
 * Read in the sources of `@ai-sdk/anthropic` 4.0, `@openrouter/ai-sdk-provider` 3.1 and `@ai-sdk/amazon-bedrock` 5.0.
 */
const RULES: Readonly<Record<AiSdkProvider, ProviderRules>> = {
  anthropic: { marker: 'cacheControl', type: 'ephemeral', marksAnswers: true },
  openrouter: { marker: 'cacheControl', type: 'ephemeral', marksAnswers: false },
  bedrock: { marker: 'cachePoint', type: 'default', marksAnswers: true },
}

/** The marker as an option of the provider. Five minutes are what a marker without a lifetime means. */
export function markerOf(provider: AiSdkProvider, ttl: CacheTtl): Readonly<Record<string, object>> {
  const { marker, type } = RULES[provider]
  return { [marker]: { type, ...(isLongTtl(ttl) && { ttl: '1h' }) } }
}

/** Whether a marker on the text is sent, and taken: blank texts are refused by Anthropic. */
export function textCarries(
  text: string,
  role: AiSdkMessage['role'],
  holder: AiSdkHolder,
  provider: AiSdkProvider,
): boolean {
  // A system message that is taken out again later is refused with a marker.
  const isCleared = role === 'system' && optionsOf(holder, 'anthropic').clearAt !== undefined
  return (
    hasText(text) &&
    (role !== 'assistant' || RULES[provider].marksAnswers) &&
    !isCleared &&
    hasRoom(holder, provider)
  )
}

/** Whether a marker on a part that is no text is sent. Never on thinking, nor on what the provider itself ran. */
export function partCarries(part: AiSdkHolder, role: AiSdkMessage['role'], provider: AiSdkProvider): boolean {
  const { type, providerExecuted } = looseOf(part)
  if (!hasRoom(part, provider)) return false
  if (type === 'tool-result') return role === 'tool'
  if (type === 'tool-call') return RULES[provider].marksAnswers && providerExecuted !== true
  return (type === 'file' || type === 'image') && role === 'user' && fileCarries(part, provider)
}

function fileCarries(part: AiSdkHolder, provider: AiSdkProvider): boolean {
  if (provider === 'anthropic') return optionsOf(part, 'anthropic').containerUpload !== true
  if (provider === 'bedrock') return true
  const { image, data = image, mediaType } = looseOf(part)
  const url = data instanceof URL ? data : looseOf(data).url
  const address = String(url ?? (typeof data === 'string' ? data : ''))
  // OpenRouter's package leaves the marker out of what is given by its address, unless it is known for media.
  return /^(image|video|audio)\//.test(String(mediaType)) || !/^https?:/.test(address)
}

/** False where something that is no object stands in the place of the options: it would be lost. */
function hasRoom({ providerOptions }: AiSdkHolder, provider: AiSdkProvider): boolean {
  if (providerOptions === undefined) return true
  if (!isObject(providerOptions)) return false
  const own: unknown = Object.hasOwn(providerOptions, provider) ? providerOptions[provider] : undefined
  return own === undefined || isObject(own)
}
