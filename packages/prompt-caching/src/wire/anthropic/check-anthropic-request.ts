import { type CacheRepair, isObject, type Loose } from '@palimpsest/core'
import type { CachePricing } from '../../pricing/cache-pricing.ts'
import { MOST_BREAKPOINTS } from '../fit-anchors.ts'
import { listOf } from '../lists.ts'
import { hasText } from '../wrapped-content.ts'
import type { AnthropicRequest } from './anthropic-request.ts'
import { blockCarries, messageCarries, toolCarries } from './carries-marker.ts'
import { withoutMarkers } from './strip-markers.ts'

/** A rule that the API answers with 400 when a request breaks it. */
export type AnthropicCacheRule =
  | 'too-many-breakpoints'
  | 'automatic-and-four'
  | 'automatic-ttl-conflict'
  | 'automatic-on-bedrock'
  | 'ttl-order'
  | 'unknown-ttl'
  | 'unknown-marker'
  | 'marker-on-thinking'
  | 'marker-on-empty-text'
  | 'marker-on-clear-at'
  | 'marker-on-deferred-tool'
  | 'marker-on-message'
  | 'marker-inside-block'

interface BrokenRule extends CacheRepair {
  readonly rule: AnthropicCacheRule
}

/**
 * The rules of prompt caching that a request breaks, by name; empty when the API takes it. Tells what a caller's own
 * breakpoints would do: what `anthropicWire.apply` returns breaks none. `pricing` adds what its route does not know.
 */
export function checkAnthropicRequest(request: AnthropicRequest, pricing?: CachePricing): CacheRepair[] {
  const markers = findMarkers(request)
  const automatic = markerOf({ cache_control: request.cache_control })
  return [
    ...markers.flatMap(checkPlace),
    ...[...markers, ...(automatic === null ? [] : [{ path: 'the request', marker: automatic }])].flatMap(
      (found) => checkMarker(found, pricing),
    ),
    ...checkCount(markers, automatic !== null, pricing),
    ...checkOrder(markers, automatic),
    ...(automatic === null ? [] : checkAutomatic(request, automatic, pricing)),
  ]
}

function checkPlace({ path, on, holder, message }: FoundMarker): BrokenRule[] {
  const { type, text } = holder
  if (on === 'message')
    return broken('marker-on-message', `${path} has a breakpoint; it belongs on one of its blocks`)
  if (on === 'inside')
    return broken('marker-inside-block', `${path} has a breakpoint inside; it belongs on the block itself`)
  if (on === 'tool') {
    if (toolCarries(holder)) return []
    return broken('marker-on-deferred-tool', `${path} has a breakpoint, and is not loaded from the start`)
  }
  const rules: BrokenRule[] = []
  if (type === 'thinking' || type === 'redacted_thinking')
    rules.push(...broken('marker-on-thinking', `${path} is thinking and cannot carry a breakpoint`))
  if (type === 'text' && !hasText(text))
    rules.push(...broken('marker-on-empty-text', `${path} is an empty text and cannot carry a breakpoint`))
  if (message !== null && !messageCarries(message))
    rules.push(...broken('marker-on-clear-at', `${path} is taken out again and cannot carry a breakpoint`))
  return rules
}

function checkMarker(
  { path, marker }: Pick<FoundMarker, 'path' | 'marker'>,
  pricing: CachePricing | undefined,
): BrokenRule[] {
  if (marker === null) return []
  const { type, ttl } = marker
  if (type !== 'ephemeral')
    return broken('unknown-marker', `${path} has a breakpoint that is not of the type "ephemeral"`)
  const isKnown = ttl === undefined || ttl === '5m' || ttl === '1h'
  if (isKnown && (ttl !== '1h' || pricing === undefined || pricing.long !== undefined)) return []
  return broken(
    'unknown-ttl',
    `${path} has a breakpoint whose lifetime is not ${isKnown ? '5m' : '5m or 1h'}`,
  )
}

function checkCount(
  markers: readonly FoundMarker[],
  isAutomatic: boolean,
  pricing: CachePricing | undefined,
): BrokenRule[] {
  const most = pricing?.maxBreakpoints ?? MOST_BREAKPOINTS
  const count = markers.filter(({ marker }) => marker !== null).length
  if (count > most)
    return broken(
      'too-many-breakpoints',
      `${count} breakpoints are set, and ${most} are allowed; take some out`,
    )
  if (isAutomatic && count === most)
    return broken('automatic-and-four', `An automatic breakpoint needs a place, and ${most} are taken`)
  return []
}

function checkOrder(markers: readonly FoundMarker[], automatic: FoundMarker['marker']): BrokenRule[] {
  const lifetimes = [...markers.map(({ marker }) => marker), automatic].flatMap((marker) =>
    marker === null ? [] : [marker.ttl === '1h'],
  )
  const firstShort = lifetimes.indexOf(false)
  if (firstShort === -1 || !lifetimes.includes(true, firstShort)) return []
  return broken('ttl-order', 'A breakpoint of 1h stands behind one of 5m; the longer ones come first')
}

function checkAutomatic(
  request: AnthropicRequest,
  automatic: NonNullable<FoundMarker['marker']>,
  pricing: CachePricing | undefined,
): BrokenRule[] {
  const rules: BrokenRule[] = []
  if (pricing?.automaticMarker === false)
    rules.push(
      ...broken('automatic-on-bedrock', 'This route knows no automatic breakpoint; set one on a block'),
    )
  const last = promptParts(request).findLast(({ on, holder, message }) =>
    on === 'tool'
      ? toolCarries(holder)
      : blockCarries(holder) && (message === null || messageCarries(message)),
  )
  const own = last === undefined ? null : markerOf(last.holder)
  if (own !== null && (own.ttl === '1h') !== (automatic.ttl === '1h'))
    rules.push(
      ...broken(
        'automatic-ttl-conflict',
        'The automatic breakpoint and the one on the last block live differently long; give both one lifetime',
      ),
    )
  return rules
}

function broken(rule: AnthropicCacheRule, message: string): BrokenRule[] {
  return [{ rule, message }]
}

/** Where a breakpoint stands: in the order of the prompt, or where none may stand at all. */
interface FoundMarker extends Omit<PromptPart, 'on'> {
  /** For `inside`, the holder is the outermost block. */
  readonly on: PromptPart['on'] | 'message' | 'inside'
  /** The value of `cache_control`. Null for `message` and `inside`, where the API knows no such field. */
  readonly marker: Loose | null
}

/** A tool or block in the order of the prompt. */
interface PromptPart {
  /** Such as `messages[3].content[0]`. */
  readonly path: string
  readonly on: 'tool' | 'block'
  readonly holder: Loose
  /** The message around it. */
  readonly message: Loose | null
}

/** Tools, then blocks of the system prompt, then those of the messages; without values that are not objects. */
function promptParts({ tools, system, messages }: AnthropicRequest): PromptPart[] {
  const parts: PromptPart[] = []
  const add = (list: unknown, on: PromptPart['on'], path: string, message: Loose | null): void => {
    const holders = typeof list === 'string' ? [{ type: 'text', text: list }] : list
    if (!Array.isArray(holders)) return
    for (const [index, holder] of holders.entries())
      if (isObject(holder)) parts.push({ path: `${path}[${index}]`, on, holder, message })
  }
  add(tools, 'tool', 'tools', null)
  add(system, 'block', 'system', null)
  for (const [index, message] of listOf(messages).entries())
    if (isObject(message)) add(message.content, 'block', `messages[${index}].content`, message)
  return parts
}

/** Every breakpoint that was written out, in the order of the prompt. */
function findMarkers(request: AnthropicRequest): FoundMarker[] {
  const found: FoundMarker[] = []
  for (const part of promptParts(request)) {
    const marker = markerOf(part.holder)
    if (marker !== null) found.push({ ...part, marker })
    const { cache_control: _, ...rest } = part.holder
    if (withoutMarkers(rest) !== rest) found.push({ ...part, on: 'inside', marker: null })
  }
  for (const [index, message] of listOf(request.messages).entries()) {
    if (isObject(message) && markerOf(message) !== null)
      found.push({ path: `messages[${index}]`, on: 'message', holder: message, message, marker: null })
  }
  return found
}

/** The value of `cache_control`. Null when there is none. */
function markerOf(holder: Loose): Loose | null {
  const { cache_control: marker } = holder
  if (marker === undefined || marker === null) return null
  return isObject(marker) ? marker : { type: marker }
}
