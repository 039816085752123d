import type { CompressResult, Usage, Warning } from '@palimpsest/core'

export interface TurnOptions {
  readonly signal: AbortSignal
  readonly on: (event: ChatEvent) => void
}

export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-start'; readonly id: string; readonly name: string; readonly summary: string }
  | {
      readonly type: 'tool-end'
      readonly id: string
      readonly name: string
      readonly ok: boolean
      readonly result: string
    }
  | { readonly type: 'compaction'; readonly trigger: string; readonly result: CompressResult }
  | { readonly type: 'warning'; readonly warning: Warning }
  | { readonly type: 'usage'; readonly usage: Usage }

export interface TurnEnd {
  readonly reason: 'answered' | 'stopped' | 'cut-off' | 'filtered' | 'too-many-rounds'
  readonly text: string
}

export interface Confirmation {
  readonly kind: 'run' | 'write' | 'edit'
  readonly subject: string
  readonly diff?: string
}

/** `always`: do not ask again about this kind in this session; for `run`, about this command. */
export type Consent = 'yes' | 'always' | 'no'

export type Confirm = (question: Confirmation, signal: AbortSignal) => Promise<Consent>
