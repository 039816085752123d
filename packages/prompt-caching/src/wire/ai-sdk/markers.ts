import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { mapShared } from '../lists.ts'
import type { AiSdkHolder, AiSdkPart } from './ai-sdk-request.ts'

/**
 * Members that the provider packages take for a marker, under any provider's name: a provider may have a name of its
 * own.
 */
const MARKERS = ['cacheControl', 'cache_control', 'cachePoint'] as const

/**
 * Options that stood there before a marker was added: they stay when it goes, even when nothing is left in them. A
 * copy through JSON forgets that.
 */
const kept = new WeakSet<object>()

/** The options of one provider. Empty when there are none. */
export function optionsOf({ providerOptions }: AiSdkHolder, provider: string): Loose {
  const options = looseOf(providerOptions)
  return Object.hasOwn(options, provider) ? looseOf(options[provider]) : {}
}

/** A copy with a marker. The holder has none yet, and room for one. */
export function withMarker<T extends AiSdkHolder>(holder: T, provider: string, marker: Loose): T {
  const before = holder.providerOptions
  const own = before !== undefined && Object.hasOwn(before, provider) ? before[provider] : undefined
  const marked = { ...own, ...marker }
  const providerOptions = { ...before, [provider]: marked }
  if (own !== undefined) kept.add(marked)
  if (before !== undefined) kept.add(providerOptions)
  return { ...holder, providerOptions }
}

/** The holder without markers: itself when it has none. */
export function withoutMarker<T extends AiSdkHolder>(holder: T): T {
  const options = looseOf(holder).providerOptions
  if (!isObject(options)) return holder
  const marked = Object.keys(options).filter((provider) => isMarked(options[provider]))
  if (marked.length === 0) return holder
  const left: Record<string, unknown> = { ...options }
  for (const provider of marked) {
    const own = left[provider] as Record<string, unknown>
    const { cacheControl: _, cache_control: __, cachePoint: ___, ...rest } = own
    if (Object.keys(rest).length > 0 || kept.has(own)) left[provider] = rest
    else delete left[provider]
  }
  if (Object.keys(left).length > 0 || kept.has(options)) return { ...holder, providerOptions: left }
  const { providerOptions: _, ...bare } = holder
  return bare as T
}

/**
 * The part without markers, its output included: the Anthropic package takes the marker of an output for the result's.
 */
export function withoutPartMarkers<T extends AiSdkPart>(part: T): T {
  if (!isObject(part)) return part
  const bare = withoutMarker(part)
  const output = (part as Loose).output
  if (!isObject(output)) return bare
  const { value } = output
  const clean = withoutMarker(output)
  const values = Array.isArray(value)
    ? mapShared(value, (item) => (isObject(item) ? withoutMarker(item) : item))
    : value
  if (clean === output && values === value) return bare
  return { ...bare, output: values === value ? clean : { ...clean, value: values } }
}

function isMarked(options: unknown): boolean {
  return isObject(options) && MARKERS.some((marker) => Object.hasOwn(options, marker))
}
