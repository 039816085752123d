import type { CacheAnchor, CacheSettings, TokenCounter } from '@palimpsest/core'
import type { ReadBlock } from '../layout/request-layout.ts'

export type { CacheSettings }

/** The parts of a request, in the order in which they are cached. */
export interface RequestParts {
  readonly tools: readonly object[]
  readonly system: object | null
  readonly messages: readonly object[]
  /** Added to a number in `messages`, it gives the index that a `CacheRef` has. */
  readonly firstMessage: number
  readonly settings: CacheSettings
}

/**
 * One shape of requests: how it is read, how breakpoints are written into it and taken out again. Nothing is changed
 * in place: marked parts are copied, all others are shared.
 */
export interface CacheWire<Request> {
  readonly name: string
  parts(request: Request): RequestParts
  readTool(tool: object, tokens: TokenCounter): ReadBlock
  /** Blocks of the system prompt: its parts; `staticSystem` characters are a block of their own. */
  readSystem(system: object, tokens: TokenCounter, staticSystem: number | undefined): readonly ReadBlock[]
  readMessage(message: object, tokens: TokenCounter): readonly ReadBlock[]
  /**
   * The request with these breakpoints and no others. Whatever the anchors, the provider takes them: at most four, one
   * a block, none on what cannot carry one (but for those of `system_and_3` that are ignored where they stand), long
   * lifetimes before short ones. The type stays what it was.
   */
  apply<Own extends Request>(request: Own, anchors: readonly CacheAnchor[], staticSystem?: number): Own
  /**
   * The request without any breakpoint: the exact inverse for what `apply` returned. A copy of that, through JSON or
   * `structuredClone`, keeps the form and loses the markers: a text that became a list of one stays one.
   */
  strip<Own extends Request>(request: Own): Own
}
