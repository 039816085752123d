import type { CacheTtl } from '@palimpsest/core'

/** Where one route takes markers in messages of OpenAI's shape, and what a marker looks like. */
export interface Carriage {
  /** Name of the wire format. */
  readonly name: string
  /** The member that is the marker. */
  readonly field: 'cache_control' | 'prompt_cache_breakpoint'
  readonly marker: (ttl: CacheTtl) => object
  /** Roles whose content parts carry. */
  readonly roles: ReadonlySet<unknown>
  /** Types of the parts that do. */
  readonly parts: ReadonlySet<unknown>
  /**
   * Whether a tool result, and an assistant's message without text, carries as a whole: an adapter moves the marker into
   * the last block that it makes of the message.
   */
  readonly onMessage: boolean
  /** Whether the schema of a tool carries. */
  readonly onTools: boolean
}
