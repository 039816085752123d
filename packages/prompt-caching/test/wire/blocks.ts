import { type CacheBreakpoint, type CacheRef, type CacheTtl, roughTokenCounter } from '@palimpsest/core'
import type { ReadBlock } from '../../src/layout/request-layout.ts'
import type { CacheWire, MessagesRequest } from '../../src/wire/openai-messages/openai-messages-wire.ts'

export const breakpoint = (ref: CacheRef, ttl: CacheTtl = '5m'): CacheBreakpoint => ({
  ref,
  ttl,
  reason: 'test',
})
export const onMessage = (index: number, block = 0, ttl?: CacheTtl) =>
  breakpoint({ at: 'message', index, block }, ttl)
export const onSystem = (block = 0, ttl?: CacheTtl) => breakpoint({ at: 'system', block }, ttl)
export const onTool = (index: number, ttl?: CacheTtl) => breakpoint({ at: 'tool', index }, ttl)

export interface PlacedBlock extends ReadBlock {
  readonly ref: CacheRef
}

/** All blocks of a request in their order, with what names them. */
export function blocksOf(wire: CacheWire, request: MessagesRequest, staticSystem?: number): PlacedBlock[] {
  const { tools, system, messages, firstMessage } = wire.parts(request)
  const head = system === null ? [] : wire.readSystem(system, roughTokenCounter, staticSystem)
  return [
    ...tools.map((tool, index) => ({
      ...wire.readTool(tool, roughTokenCounter),
      ref: { at: 'tool', index } as const,
    })),
    ...head.map((block, index) => ({ ...block, ref: { at: 'system', block: index } as const })),
    ...messages.flatMap((message, index) =>
      wire.readMessage(message, roughTokenCounter).map((block, number) => ({
        ...block,
        ref: { at: 'message', index: index + firstMessage, block: number } as const,
      })),
    ),
  ]
}

/** Everything in a value that holds a marker, at any depth. */
export function carriersOf(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, member]) =>
    key === 'cache_control' ? [] : carriersOf(member),
  )
  const own = !Array.isArray(value) && Object.hasOwn(value, 'cache_control')
  return own ? [value as Record<string, unknown>, ...inner] : inner
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
