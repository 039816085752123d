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

/** A question before something that cannot be taken back. */
export interface Confirmation {
  /** `run`: a command; `write` and `edit`: a file. */
  readonly kind: 'run' | 'write' | 'edit'
  /** The command, or the path relative to the workspace. */
  readonly subject: string
  readonly diff?: string
}

/** `always`: this kind is not asked about again in this session; for `run`, this very command. */
export type Consent = 'yes' | 'always' | 'no'

export type Confirm = (question: Confirmation, signal: AbortSignal) => Promise<Consent>
