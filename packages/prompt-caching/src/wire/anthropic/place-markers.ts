import { type CacheAnchor, isObject } from '@palimpsest/core'
import { anchorsByPlace, type BlockTtls, cacheControl, changeAt } from '../fit-anchors.ts'
import { extendPart, splitContent, toParts } from '../wrapped-content.ts'

/** The members of a prompt that are written to. */
interface MarkablePrompt {
  readonly tools?: readonly object[]
  readonly system?: unknown
  readonly messages: readonly { readonly content?: unknown }[]
}

/**
 * Writes breakpoints, from `fitAnchors`, into a prompt that has none. A text that carries one becomes a list of one
 * text; a system prompt with a static part is split, marked or not, because blocks must not change when a breakpoint
 * moves on.
 */
export function placeMarkers<Prompt extends MarkablePrompt>(
  prompt: Prompt,
  anchors: readonly CacheAnchor[],
  staticSystem = 0,
): Prompt {
  const wanted = anchorsByPlace(anchors)
  const split = splitContent(prompt.system, staticSystem)
  const system = wanted.system.size === 0 ? split : markContent(split, wanted.system)
  if (anchors.length === 0 && system === prompt.system) return prompt
  const marked: MarkablePrompt = {
    ...prompt,
    ...(system !== prompt.system && { system }),
    ...(wanted.tools.size > 0 && {
      tools: changeAt(prompt.tools ?? [], wanted.tools, (tool, ttl) => ({
        ...tool,
        cache_control: cacheControl(ttl),
      })),
    }),
    messages: changeAt(prompt.messages, wanted.messages, (message, ttls) => ({
      ...message,
      content: markContent(message.content, ttls),
    })),
  }
  // A marked value keeps its type.
  return marked as Prompt
}

function markContent(content: unknown, ttls: BlockTtls): unknown[] {
  const parts = toParts(content)
  for (const [index, ttl] of ttls) {
    const part = parts[index]
    // Five minutes are the default: written out, they would be other bytes for the same request.
    if (isObject(part)) parts[index] = extendPart(part, 'cache_control', cacheControl(ttl))
  }
  return parts
}
