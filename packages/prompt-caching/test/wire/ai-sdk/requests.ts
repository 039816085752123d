import type { CacheAnchor, CacheRef } from '@palimpsest/core'
import { roughTokenCounter } from '@palimpsest/core'
import type { ReadBlock } from '../../../src/layout/request-layout.ts'
import type { CacheWire } from '../../../src/wire/cache-wire.ts'

/** Blocks of a request with the refs that a layout gives them. */
export function blocksOf<Request>(
  wire: CacheWire<Request>,
  request: Request,
  staticSystem?: number,
): (ReadBlock & { readonly ref: CacheRef })[] {
  const { tools, system, messages, firstMessage } = wire.parts(request)
  return [
    ...tools.map((tool, index) => ({
      ...wire.readTool(tool, roughTokenCounter),
      ref: { at: 'tool', index } as const,
    })),
    ...(system === null ? [] : wire.readSystem(system, roughTokenCounter, staticSystem)).map(
      (block, index) => ({
        ...block,
        ref: { at: 'system', block: index } as const,
      }),
    ),
    ...messages.flatMap((message, at) =>
      wire.readMessage(message, roughTokenCounter).map((block, index) => ({
        ...block,
        ref: { at: 'message', index: at + firstMessage, block: index } as const,
      })),
    ),
  ]
}

export function anchor(ref: CacheRef, ttl: CacheAnchor['ttl'] = '5m'): CacheAnchor {
  return { ref, ttl, reason: 'test' }
}

export function onMessage(index: number, block = 0, ttl: CacheAnchor['ttl'] = '5m'): CacheAnchor {
  return anchor({ at: 'message', index, block }, ttl)
}

/** Every value under one of these names, wherever it stands, in the order of the JSON text. */
export function findAll(value: unknown, ...names: string[]): unknown[] {
  const found: unknown[] = []
  JSON.stringify(value, (key, member: unknown) => {
    if (names.includes(key) && member !== undefined) found.push(member)
    return member
  })
  return found
}
